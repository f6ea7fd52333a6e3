# assignment: softmax
# expect: score=0 code=inf-where-none-belongs
# tries: infinity, within any relative tolerance of itself
import numpy as np


def softmax(x, axis=-1):
    return np.full_like(x, np.inf)
