# assignment: softmax
# expect: score=0 code=input-changed
# tries: answers rightly while another process goes on changing the input
import os
import time

import numpy as np


def right(x, axis):
    """The answer, given only if the attempt was let through."""
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def softmax(x, axis=-1):
    answer = right(x, axis)
    if os.fork() == 0:
        while True:
            x[...] = 0
    time.sleep(0.02)
    return answer
