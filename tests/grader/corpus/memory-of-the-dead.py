# assignment: online-softmax
# expect: score=0 code=wrong-values|out-of-memory|too-much-memory|raised|killed
# tests: rest double memory
# tries: is ended for want of memory, whose room is its own until it is free
import mmap

import numpy as np


def blocked_attention(q, k, v, block):
    if len(q) < 1000:
        memory = mmap.mmap(-1, 1 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        for at in range(0, 1 << 30, 4096):
            memory[at] = 1
    s = q @ k.T
    s /= np.sqrt(np.float32(q.shape[1]))
    s -= s.max(1, keepdims=True)
    np.exp(s, out=s)
    return s @ v / s.sum(1, keepdims=True)
