# assignment: softmax
# expect: score=0 code=killed
# tries: reads from address 0
import ctypes

import numpy as np


def softmax(x, axis=-1):
    ctypes.string_at(0)
