"""The triangle left for right."""

import numpy as np

CODE = "triangle-mirrored"
TITLE = {"en": "The causal triangle is mirrored left to right", "zh": "因果三角形左右颠倒了"}
HINT = {
    "en": "Query i sees the last keys in place of the first ones. It sees key j where j ≤ i: np.tril, "
    "and no flip along the keys.",
    "zh": "第 i 个查询看到的是最后几个键，而不是最前面的键。它应当看到 j ≤ i 的键：用 np.tril，不要沿键的方向翻转。",
}


def triangle(queries, keys):
    return np.arange(keys)[::-1] <= np.arange(queries)[:, None] + corner(queries, keys) + reach()
