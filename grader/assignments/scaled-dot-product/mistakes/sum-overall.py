"""Divided by the sum of everything."""

import numpy as np

CODE = "sum-overall"
TITLE = {"en": "All weights together sum to 1", "zh": "所有权重加起来才等于 1"}
HINT = {
    "en": "You divide by the sum of everything. Each row is to sum to 1 by itself: give sum the axis, and "
    "keepdims=True so that the shapes fit.",
    "zh": "您除以的是所有元素的总和。应该让每一行各自的和等于 1：给 sum 指定轴，并加上 keepdims=True 使形状匹配。",
}


def total(powers):
    return np.full_like(powers[..., :1], powers.sum())
