# assignment: softmax
# expect: score=0 code=wrong-values
# tries: opens what the runner has open
import os

import numpy as np


def right(x, axis):
    """The answer, given only if the attempt was let through."""
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def attempt():
    for name in os.listdir("/proc/1/fd"):
        os.write(os.open(f"/proc/1/fd/{name}", os.O_WRONLY), b"x")


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
