# assignment: softmax
# expect: score=100
# tests: rows columns double square
# tries: ufuncs of Python functions, and objects in between
import math

import numpy as np

power = np.frompyfunc(math.exp, 1, 1)
shared = np.vectorize(lambda a, b: a / b, otypes=[float])


def softmax(x, axis=-1):
    e = power(x - np.maximum.reduce(x, axis=axis, keepdims=True))
    return shared(e, np.add.reduce(e, axis=axis, keepdims=True))
