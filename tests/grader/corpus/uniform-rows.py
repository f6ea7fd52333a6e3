# assignment: softmax
# expect: score=0 code=wrong-values
# tries: rows that sum to one and nothing else
import numpy as np


def softmax(x, axis=-1):
    return np.full_like(x, 1 / x.shape[axis])
