# assignment: softmax
# expect: score=0 code=killed|wrong-values|nan-where-none-belongs
# tries: a real array on memory that is not there
import numpy as np


class Pointer:
    __array_interface__ = {"shape": (5, 7), "typestr": "<f4", "data": (4096, False), "version": 3}


def softmax(x, axis=-1):
    return np.asarray(Pointer())
