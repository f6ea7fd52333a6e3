# assignment: softmax
# expect: score=0 code=input-changed
# tries: shifts the input in place and answers rightly
import numpy as np


def softmax(x, axis=-1):
    x -= x.max(axis, keepdims=True)
    return np.exp(x) / np.exp(x).sum(axis, keepdims=True)
