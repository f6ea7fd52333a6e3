# assignment: online-softmax
# expect: score=0 code=too-much-memory|out-of-memory|raised|killed|exited|wrong-values
# tests: memory
# tries: keeps the scores in a child, rows at a time in a file
import mmap
import os

import numpy as np


def blocked_attention(q, k, v, block):
    shared = mmap.mmap(-1, 8 * len(q) * v.shape[1])
    if (pid := os.fork()) == 0:
        s = q @ k.T / np.sqrt(q.shape[1])
        p = np.exp(s - s.max(1, keepdims=True))
        shared[:] = np.ascontiguousarray(p / p.sum(1, keepdims=True) @ v, float).tobytes()
        os._exit(0)
    os.waitpid(pid, 0)
    return np.frombuffer(shared[:]).reshape(len(q), v.shape[1])
