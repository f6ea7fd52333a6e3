# assignment: softmax
# expect: score=0 code=result-is-scalar
# tries: one number that broadcasts
import numpy as np


def softmax(x, axis=-1):
    return np.float32(0.1)
