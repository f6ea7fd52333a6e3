# assignment: softmax
# expect: score=100
# tries: gives its module another class
import sys
import types

import numpy as np


class Strict(types.ModuleType):
    def __setattr__(self, name, value):
        raise AttributeError("constant")


def softmax(x, axis=-1):
    e = np.exp(x - np.nan_to_num(x.max(axis, keepdims=True), neginf=0))
    s = e.sum(axis, keepdims=True)
    return np.divide(e, s, out=np.zeros_like(e), where=s > 0)


sys.modules[__name__].__class__ = Strict
