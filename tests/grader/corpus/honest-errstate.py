# assignment: softmax
# expect: score=100
# tries: asks NumPy to be silent, and later to raise
import numpy as np


def core(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0))
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total > 0, total, 1)


def softmax(x, axis=-1):
    with np.errstate(all="ignore"):
        answer = core(x, axis)
    np.seterr(all="raise")
    return answer
