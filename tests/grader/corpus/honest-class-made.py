# assignment: softmax
# expect: score=100
# tries: a class whose making is the answer
import numpy as np


class softmax:
    def __new__(cls, x, axis=-1):
        top = x.max(axis=axis, keepdims=True)
        e = np.exp(x - np.where(np.isneginf(top), 0, top))
        total = e.sum(axis=axis, keepdims=True)
        return e / np.where(total == 0, 1, total)
