# assignment: softmax
# expect: score=100
# tries: checks its own answer
import numpy as np


def core(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0))
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total > 0, total, 1)


def softmax(x, axis=-1):
    answer = core(x, axis)
    assert answer.shape == x.shape
    assert not np.isnan(answer).any(), answer
    return answer
