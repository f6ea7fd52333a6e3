"""No division by the sum."""

import numpy as np

CODE = "not-normalised"
TITLE = {"en": "The weights do not sum to 1", "zh": "权重之和不等于 1"}
HINT = {
    "en": "You multiply exp(scores − max) with the values. Divide by the sum over the keys first.",
    "zh": "您直接用 exp(scores − max) 乘以值。请先除以沿键方向的和。",
}


def total(powers):
    return np.ones_like(powers[..., :1])
