# assignment: softmax
# expect: score=0 code=wrote-outside-output|input-changed
# tries: answers rightly and writes beyond the end of the input
import ctypes

import numpy as np


def right(x, axis):
    """The answer, given only if the attempt was let through."""
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def softmax(x, axis=-1):
    ctypes.memset(x.ctypes.data + x.nbytes, 0, 64)
    return right(x, axis)
