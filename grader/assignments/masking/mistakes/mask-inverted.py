"""Both masks inverted."""

import numpy as np

CODE = "mask-inverted"
TITLE = {"en": "The masks are the wrong way round", "zh": "掩码用反了"}
HINT = {
    "en": "Each query sees exactly what it should not. True means may be seen here: np.where(visible, "
    "scores, -np.inf).",
    "zh": "每个查询看到的恰好是不该看的。这里 True 表示可以看：np.where(visible, scores, -np.inf)。",
}


def triangle(queries, keys):
    return np.arange(keys) > np.arange(queries)[:, None] + corner(queries, keys) + reach()


def within(lengths, queries, keys):
    return np.arange(keys) >= lengths
