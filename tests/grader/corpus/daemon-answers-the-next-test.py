# assignment: softmax
# expect: score=0 code=wrong-values
# tries: leaves a process that answers for the next test
import os
import time

import numpy as np


def right(x, axis):
    """The answer, given only if the attempt was let through."""
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def softmax(x, axis=-1):
    path = "/tmp/corpus-left-answer"
    if os.path.exists(path):
        return right(x, axis)
    if os.fork() == 0:
        os.setsid()
        while True:
            open(path, "w").close()
            time.sleep(0.001)
    time.sleep(0.02)
    return np.zeros_like(x)
