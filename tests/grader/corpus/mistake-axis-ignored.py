# assignment: softmax
# expect: score=66.6667 code=wrong-values named=axis-ignored
# tries: nothing: always along the last axis
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
