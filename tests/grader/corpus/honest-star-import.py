# assignment: softmax
# expect: score=100
# tries: takes all of NumPy
from numpy import *


def softmax(x, axis=-1):
    top = amax(x, axis=axis, keepdims=True)
    e = exp(x - where(isfinite(top), top, 0))
    total = sum(e, axis=axis, keepdims=True)
    return e / where(total > 0, total, 1)
