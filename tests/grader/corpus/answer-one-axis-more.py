# assignment: softmax
# expect: score=0 code=wrong-shape
# tries: the right answer with one axis more
import numpy as np


def right(x, axis):
    """The answer, given only if the attempt was let through."""
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def softmax(x, axis=-1):
    return right(x, axis)[None]
