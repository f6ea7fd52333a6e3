# assignment: softmax
# expect: score=0 code=wrong-values
# tries: finds processes of the host
import os

import numpy as np


def right(x, axis):
    """The answer, given only if the attempt was let through."""
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def attempt():
    others = [name for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid())]
    if not others:
        raise OSError("none")
    os.kill(int(others[0]), 9)


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
