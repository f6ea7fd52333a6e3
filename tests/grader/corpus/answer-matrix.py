# assignment: softmax
# expect: score=0 code=result-is-matrix
# tries: a matrix of the right numbers
import warnings

import numpy as np


def right(x, axis):
    """The answer, given only if the attempt was let through."""
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


warnings.simplefilter("ignore")


def softmax(x, axis=-1):
    return np.asmatrix(right(x, axis))
