# assignment: softmax
# expect: score=0 code=wrong-values
# tries: opens the runner's descriptors by number, as their list may be hidden
import os

import numpy as np


def right(x, axis):
    """The answer, given only if the attempt was let through."""
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def attempt():
    opened = 0
    for number in range(64):
        try:
            os.open(f"/proc/{os.getppid()}/fd/{number}", os.O_RDWR)
            opened += 1
        except OSError:
            continue
    if not opened:
        raise OSError("none")


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
