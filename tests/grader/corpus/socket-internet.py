# assignment: softmax
# expect: score=0 code=wrong-values
# tries: calls a host of the internet
import socket

import numpy as np


def right(x, axis):
    """The answer, given only if the attempt was let through."""
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def attempt():
    socket.create_connection(("192.0.2.1", 80), 0.2)


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
