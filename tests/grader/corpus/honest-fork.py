# assignment: softmax
# expect: score=100
# tries: lets a child process compute nothing, and waits for it
import os

import numpy as np


def core(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0))
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total > 0, total, 1)


def softmax(x, axis=-1):
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return core(x, axis)
