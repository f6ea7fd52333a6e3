# assignment: softmax
# expect: score=0 code=result-is-input|input-changed
# tries: computes in the memory of the input
import numpy as np


def softmax(x, axis=-1):
    x -= x.max(axis, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis, keepdims=True)
    return x
