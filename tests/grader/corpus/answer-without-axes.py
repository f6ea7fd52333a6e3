# assignment: softmax
# expect: score=0 code=wrong-shape
# tries: an array without axes that broadcasts
import numpy as np


def softmax(x, axis=-1):
    return np.array(0.1, x.dtype)
