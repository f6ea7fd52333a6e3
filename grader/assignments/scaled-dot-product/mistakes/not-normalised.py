"""No division by the sum."""

import numpy as np

CODE = "not-normalised"
TITLE = {"en": "The weights do not sum to 1", "zh": "权重之和不等于 1"}
HINT = {
    "en": "The division is missing: divide by the sum over the keys before the values are multiplied.",
    "zh": "缺少除法：在与值相乘之前，请先除以沿键方向的和。",
}


def total(powers):
    return np.ones_like(powers[..., :1])
