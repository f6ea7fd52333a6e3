"""No division by the sum."""

import numpy as np

CODE = "not-normalised"
TITLE = {"en": "The powers are not divided by their sum", "zh": "没有除以总和"}
HINT = {
    "en": "The division is missing: divide by the sum of each row, so that its weights sum to 1.",
    "zh": "缺少除法：还要除以每一行的和，使权重之和等于 1。",
}


def total(powers, axis):
    return np.ones_like(powers.sum(axis=axis, keepdims=True))
