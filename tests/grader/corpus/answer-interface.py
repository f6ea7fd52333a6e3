# assignment: softmax
# expect: score=0 code=result-wrong-type
# tries: an object whose interface points at any memory
import numpy as np


class Pointer:
    __array_interface__ = {"shape": (5, 7), "typestr": "<f4", "data": (4096, False), "version": 3}


def softmax(x, axis=-1):
    return Pointer()
