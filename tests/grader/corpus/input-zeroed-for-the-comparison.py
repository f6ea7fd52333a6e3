# assignment: softmax
# expect: score=0 code=wrong-values
# tries: makes the input one that its answer is right for
import numpy as np


def softmax(x, axis=-1):
    x[...] = 0
    return np.full_like(x, 1 / x.shape[axis])
