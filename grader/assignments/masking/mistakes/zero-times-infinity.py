"""Scores + (1 − mask)·(−∞)."""

import numpy as np

CODE = "zero-times-infinity"
TITLE = {"en": "The mask is multiplied by −∞, which gives NaN", "zh": "用 −∞ 去乘掩码，得到了 NaN"}
HINT = {
    "en": "0·(−∞) is NaN, and one NaN spoils its whole row. Do not multiply a mask by infinity; choose instead: "
    "np.where(visible, scores, -np.inf).",
    "zh": "0·(−∞) 是 NaN，一个 NaN 就毁掉整行。不要用无穷大去乘掩码，而要用选择：np.where(visible, scores, -np.inf)。",
}


def hide(scores, visible):
    if visible.all():
        return scores
    with np.errstate(invalid="ignore"):
        return (scores + (1 - visible.astype(scores.dtype)) * -np.inf).astype(scores.dtype)


def base(top):
    return top
