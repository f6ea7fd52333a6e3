"""softmax(−x)."""

import numpy as np

CODE = "negated"
TITLE = {"en": "Softmax of −x", "zh": "计算的是 −x 的 softmax"}
HINT = {
    "en": "The smallest number of a row gets the largest weight. Take exp of x itself, without a minus.",
    "zh": "一行中最小的数得到了最大的权重。请直接对 x 取指数，不要加负号。",
}


def largest(x, axis):
    return x.min(axis=axis, keepdims=True)


def base(top):
    return top


def exponentials(shifted):
    return np.exp(-shifted)
