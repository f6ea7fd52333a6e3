# assignment: softmax
# expect: score=0 code=wrong-values
# tests: rows columns double square stairs all-hidden
# tries: numbers of which no two can be added
import numpy as np


def softmax(x, axis=-1):
    return np.full(x.shape, np.finfo(np.float64).max) * np.where(np.arange(x.shape[-1]) % 2, 1, -1)
