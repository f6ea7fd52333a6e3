"""Softmax block by block, averaged."""

import numpy as np

CODE = "blocks-averaged"
TITLE = {
    "en": "Each block has a softmax of its own, and the results are averaged",
    "zh": "各块分别做 softmax，再把结果平均",
}
HINT = {
    "en": "Blocks do not weigh the same: one with large scores counts more. Keep the maximum and the sum "
    "of the powers, and divide once at the end.",
    "zh": "各块的分量并不相同：分数大的块应当占更多。请保留最大值和指数之和，最后只除一次。",
}


def shrink(old, new):
    return np.ones_like(new)


def grow_total(total, factor, powers):
    return total + 1


def grow_output(output, factor, powers, v):
    return output + powers @ v / powers.sum(axis=-1, keepdims=True)
