# assignment: softmax
# expect: score=100
# tries: counts its calls, and would fail the second one
import numpy as np


def core(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0))
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total > 0, total, 1)


CALLS = 0


def softmax(x, axis=-1):
    global CALLS
    CALLS += 1
    assert CALLS == 1
    return core(x, axis)
