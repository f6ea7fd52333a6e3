"""Whole blocks of 16 queries only."""

import numpy as np

CODE = "queries-tail-16"
TITLE = {"en": "Queries beyond a multiple of 16 are left out", "zh": "超出 16 的整数倍的查询被漏掉了"}
HINT = {
    "en": "You work on 16 queries at a time and forget what is left when their number is no multiple of 16: nothing is "
    "written for them. Finish with a loop over the rest.",
    "zh": "您一次处理 16 个查询，却忘了个数不是 16 的倍数时剩下的部分：它们的输出没有写入。最后请再用一个循环处理剩余部分。",
}


def combine(weights, v):
    output = weights @ v
    output[:, output.shape[1] // 16 * 16 :] = np.nan
    return output
