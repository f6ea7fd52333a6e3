# -*- coding: rot13 -*-
# assignment: softmax
# expect: score=100
# tries: says that it is in an encoding that changes what is read
import numpy as np


def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    e = np.exp(x - top)
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total > 0, total, 1)
