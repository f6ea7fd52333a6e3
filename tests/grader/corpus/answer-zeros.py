# assignment: softmax
# expect: score=0 code=wrong-values
# tries: zeros, within any absolute tolerance
import numpy as np


def softmax(x, axis=-1):
    return np.zeros_like(x)
