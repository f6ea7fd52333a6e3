"""Whole blocks of 4 queries only."""

import numpy as np

CODE = "queries-tail-4"
TITLE = {"en": "Queries beyond a multiple of 4 are left out", "zh": "超出 4 的整数倍的查询被漏掉了"}
HINT = {
    "en": "You work on 4 queries at a time and forget what is left when their number is no multiple of 4: nothing is "
    "written for them. Finish with a loop over the rest.",
    "zh": "您一次处理 4 个查询，却忘了个数不是 4 的倍数时剩下的部分：它们的输出没有写入。最后请再用一个循环处理剩余部分。",
}


def combine(weights, v):
    output = weights @ v
    output[:, output.shape[1] // 4 * 4 :] = np.nan
    return output
