# -*- coding: gb2312 -*-
# assignment: softmax
# expect: score=100
# tries: a declared encoding, and what it is needed for
import numpy as np

名字 = "软最大"
print(名字, len(名字))


def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0))
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total > 0, total, 1)
