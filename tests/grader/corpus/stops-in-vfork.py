# assignment: softmax
# expect: score=0 code=wall-time-out
# limits: wall_seconds=0.5
# tries: waits for a child of vfork that never leaves
import ctypes
import os
import time

import numpy as np


def softmax(x, axis=-1):
    if ctypes.PyDLL(None).syscall(58) == 0:
        ctypes.PyDLL(None).pause()
    return np.zeros_like(x)
