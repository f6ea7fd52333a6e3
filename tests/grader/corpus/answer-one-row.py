# assignment: softmax
# expect: score=0 code=wrong-shape
# tries: one row that broadcasts over the others
import numpy as np


def softmax(x, axis=-1):
    return np.full((1, x.shape[-1]), 0.1, x.dtype)
