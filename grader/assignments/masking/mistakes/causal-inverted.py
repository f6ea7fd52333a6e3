"""Only the future."""

import numpy as np

CODE = "causal-inverted"
TITLE = {"en": "The causal mask is the wrong way round", "zh": "因果掩码用反了"}
HINT = {
    "en": "Each query sees only the future. A causal query sees itself and what came before: key j ≤ query "
    "i.",
    "zh": "每个查询只看到了未来。因果注意力中，查询只能看到自己和之前的位置：键 j ≤ 查询 i。",
}


def triangle(queries, keys):
    return np.arange(keys) > np.arange(queries)[:, None] + corner(queries, keys) + reach()
