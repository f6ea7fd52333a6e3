"""Softmax block by block, added."""

import numpy as np

CODE = "blocks-added"
TITLE = {
    "en": "Each block has a softmax of its own, and the results are added",
    "zh": "各块分别做 softmax，再把结果相加",
}
HINT = {
    "en": "With every block normalised by itself the weights of a row sum to the number of blocks. Keep "
    "the sum of the powers over all blocks, and divide once at the end.",
    "zh": "每个块各自归一化后，一行权重之和就等于块的个数。请保留所有块的指数之和，最后只除一次。",
}


def shrink(old, new):
    return np.ones_like(new)


def grow_total(total, factor, powers):
    return np.ones_like(total)


def grow_output(output, factor, powers, v):
    return output + powers @ v / powers.sum(axis=-1, keepdims=True)
