# assignment: softmax
# expect: score=0 code=wrong-shape
# tries: an empty array, for which all() is true
import numpy as np


def softmax(x, axis=-1):
    return np.empty((0, *x.shape[1:]), x.dtype)
