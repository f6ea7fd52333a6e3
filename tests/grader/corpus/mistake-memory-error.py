# assignment: softmax
# expect: score=0 code=out-of-memory
# tries: nothing: asks for far too large an array
import numpy as np


def softmax(x, axis=-1):
    return np.ones((1 << 20, 1 << 20))
