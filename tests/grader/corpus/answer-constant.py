# assignment: softmax
# expect: score=0 code=wrong-values
# tries: a constant
import numpy as np


def softmax(x, axis=-1):
    return np.full(x.shape, 0.1, x.dtype)
