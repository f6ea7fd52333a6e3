# assignment: softmax
# expect: score=0 code=wrong-values
# tries: reads the secrets of the grader's environment
import os

import numpy as np


def right(x, axis):
    """The answer, given only if the attempt was let through."""
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def attempt():
    if "CORPUS_CANARY" not in os.environ:
        raise OSError("none")
    print(os.environ["CORPUS_CANARY"])


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
