"""No tail loop over the columns of the values, vectors of 16."""

import numpy as np

CODE = "values-tail-16"
TITLE = {
    "en": "Columns of the output beyond a multiple of 16 stay 0",
    "zh": "输出中超出 16 的整数倍的列一直是 0",
}
HINT = {
    "en": "Your loop over the value width takes 16 columns at a time and forgets those that are left over. "
    "Treat the tail one by one.",
    "zh": "您对值的宽度的循环每次处理 16 列，却忘了剩下不满 16 的部分。请逐个处理尾部。",
}


def combine(weights, v):
    return weights @ np.where(np.arange(v.shape[-1]) < v.shape[-1] // 16 * 16, v, 0)
