"""No tail loop over the columns of the values, vectors of 8."""

import numpy as np

CODE = "values-tail-8"
TITLE = {
    "en": "Columns of the output beyond a multiple of 8 stay 0",
    "zh": "输出中超出 8 的整数倍的列一直是 0",
}
HINT = {
    "en": "Your loop over the value width takes 8 columns at a time and forgets those that are left over. "
    "Treat the tail one by one.",
    "zh": "您对值的宽度的循环每次处理 8 列，却忘了剩下不满 8 的部分。请逐个处理尾部。",
}


def combine(weights, v):
    return weights @ np.where(np.arange(v.shape[-1]) < v.shape[-1] // 8 * 8, v, 0)
