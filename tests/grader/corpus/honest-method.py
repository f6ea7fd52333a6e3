# assignment: softmax
# expect: score=100
# tries: a method of an object
import numpy as np


class Model:
    def __init__(self):
        self.calls = 0

    def softmax(self, x, axis=-1):
        self.calls += 1
        top = x.max(axis=axis, keepdims=True)
        e = np.exp(x - np.where(np.isfinite(top), top, 0))
        total = e.sum(axis=axis, keepdims=True)
        return e / np.where(total > 0, total, 1)


softmax = Model().softmax
