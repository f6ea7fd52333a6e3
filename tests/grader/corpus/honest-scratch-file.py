# assignment: softmax
# expect: score=100
# tries: keeps its numbers in a file for a while
import tempfile

import numpy as np


def core(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0))
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total > 0, total, 1)


def softmax(x, axis=-1):
    with tempfile.NamedTemporaryFile(suffix=".npy") as file:
        np.save(file, core(x, axis))
        file.seek(0)
        return np.load(file)
