# assignment: softmax
# expect: score=0 code=wrong-values|wall-time-out|sandbox-lost
# tries: a process that is replaced by its child every moment
import os

import numpy as np


def softmax(x, axis=-1):
    if os.fork() == 0:
        os.setsid()
        while True:
            if os.fork():
                os._exit(0)
    return np.zeros_like(x)
