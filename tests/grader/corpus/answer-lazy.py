# assignment: softmax
# expect: score=0 code=result-wrong-type
# tries: an object that becomes an array when somebody asks, and looks like one before
import numpy as np


class Lazy:
    __class__ = np.ndarray
    __array_priority__ = 1e9
    dtype, shape, ndim, nbytes = np.dtype(np.float32), (5, 7), 2, 140

    def __array__(self, dtype=None, copy=None):
        return np.full(self.shape, 0.1, dtype or np.float32)

    def __eq__(self, other):
        return True


def softmax(x, axis=-1):
    return Lazy()
