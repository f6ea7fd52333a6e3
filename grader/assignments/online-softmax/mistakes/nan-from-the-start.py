"""exp(new − old) where old is −inf."""

import numpy as np

CODE = "nan-from-the-start"
TITLE = {"en": "The first block already gives NaN", "zh": "第一个块就已经得到 NaN"}
HINT = {
    "en": "Most often the factor is upside down. The running maximum starts at −inf, so that exp(new − "
    "old) is infinite with the first block, and 0·inf is NaN. The factor is exp(old − new), which "
    "is 0 there.",
    "zh": "多半是缩放因子写反了。最大值的初值是 −inf，于是在第一个块 exp(新 − 旧) 是无穷大，而 0·inf 就是 NaN。因子应为 exp(旧 − 新)，在那里等于 0。",
}


def shrink(old, new):
    return np.exp(new - old)
