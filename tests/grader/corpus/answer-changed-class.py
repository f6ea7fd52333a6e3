# assignment: softmax
# expect: score=0 code=result-is-subclass|wrong-values|raised
# tries: an array whose class is changed after it was looked at
import numpy as np


class Odd(np.ndarray):
    __class__ = property(lambda self: np.ndarray)


def softmax(x, axis=-1):
    return np.zeros_like(x).view(Odd)
