# assignment: softmax
# expect: score=0 code=wrong-values
# tries: keeps the inputs of one call to find the answer in the next
import numpy as np


def right(x, axis):
    """The answer, given only if the attempt was let through."""
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


KEPT = []


def softmax(x, axis=-1):
    KEPT.append(x)
    if len(KEPT) > 1:
        return right(KEPT[0], axis)
    return np.zeros_like(x)
