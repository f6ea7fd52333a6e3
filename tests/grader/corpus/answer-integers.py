# assignment: softmax
# expect: score=0 code=result-wrong-dtype
# tries: integers
import numpy as np


def softmax(x, axis=-1):
    return np.zeros(x.shape, int)
