# assignment: softmax
# expect: score=100
# tries: prints much, and in odd characters
import sys

import numpy as np


def core(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0))
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total > 0, total, 1)


def softmax(x, axis=-1):
    for row in range(2000):
        print(row, x.shape, "重み ± \x1b[1m", end="\r\n")
    sys.stderr.write("careful" * 1000)
    return core(x, axis)
