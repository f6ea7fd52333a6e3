"""No tail loop in the dot product, vectors of 16."""

CODE = "width-tail-16"
TITLE = {
    "en": "Columns beyond a multiple of 16 are missing in the scores",
    "zh": "计算分数时漏掉了超出 16 的整数倍的列",
}
HINT = {
    "en": "Your dot product takes 16 columns at a time and forgets those that are left over. Add the tail "
    "one by one.",
    "zh": "您的点积每次处理 16 列，却忘了剩下不满 16 列的部分。请逐个累加尾部。",
}


def scores(q, k):
    width = q.shape[-1] - q.shape[-1] % 16
    return q[..., :width] @ k[..., :width].swapaxes(-1, -2)
