# assignment: softmax
# expect: score=100
# tries: a function of one line, applied along the axis
import numpy as np


def softmax(x, axis=-1):
    def line(r):
        if np.isneginf(r).all():
            return np.zeros_like(r)
        return np.exp(r - np.logaddexp.reduce(r))

    return np.apply_along_axis(line, axis, x)
