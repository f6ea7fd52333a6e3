"""The factor upside down."""

import numpy as np

CODE = "rescale-inverted"
TITLE = {"en": "Rescaled with exp(new − old)", "zh": "缩放因子写成了 exp(新 − 旧)"}
HINT = {
    "en": "The factor is exp(old − new), at most 1: what was computed with a smaller maximum must shrink.",
    "zh": "因子应为 exp(旧 − 新)，不超过 1：按较小的最大值算出的结果必须缩小。",
}


def shrink(old, new):
    return np.where(np.isneginf(old), np.zeros_like(old), np.exp(new - old))
