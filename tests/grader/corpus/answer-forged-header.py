# assignment: softmax
# expect: score=0 code=killed|exited|raised|result-too-large|wrong-values|wrong-shape
# tries: an array whose own header lies about its shape
import ctypes

import numpy as np


def softmax(x, axis=-1):
    answer = np.zeros_like(x)
    header = (ctypes.c_ssize_t * 10).from_address(id(answer))
    ctypes.cast(header[4], ctypes.POINTER(ctypes.c_ssize_t))[0] = 1 << 40
    return answer
