"""triu for tril."""

import numpy as np

CODE = "causal-upper"
TITLE = {"en": "The causal mask is the upper triangle", "zh": "因果掩码用了上三角"}
HINT = {
    "en": "You keep keys at and after the query (np.triu). A causal query sees itself and what came "
    "before: the lower triangle, np.tril.",
    "zh": "您保留了查询自己及其之后的键（np.triu）。因果注意力只能看到自己和之前的位置，即下三角：np.tril。",
}


def triangle(queries, keys):
    return np.arange(keys) >= np.arange(queries)[:, None] + corner(queries, keys) + reach()
