# coding: utf-8-sig
# assignment: softmax
# expect: score=100
# tries: BOM, and an encoding that says the same
import numpy as np


def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0))
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total > 0, total, 1)
