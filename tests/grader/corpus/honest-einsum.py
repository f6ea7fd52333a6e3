# assignment: softmax
# expect: score=100
# tries: sums with einsum
import numpy as np


def softmax(x, axis=-1):
    lines = np.moveaxis(x, axis, -1)
    top = lines.max(-1, keepdims=True)
    e = np.exp(lines - np.where(top == -np.inf, 0, top))
    total = np.einsum("...k->...", e)
    share = np.einsum("...k,...->...k", e, 1 / np.where(total == 0, 1, total))
    return np.moveaxis(share, -1, axis)
