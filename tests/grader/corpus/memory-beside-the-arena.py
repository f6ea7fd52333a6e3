# assignment: online-softmax
# expect: score=0 code=too-much-memory|out-of-memory|raised|killed
# tests: memory
# tries: keeps one half of the scores in shared memory, as much as the arena has, and the other in its own
import mmap

import numpy as np


def blocked_attention(q, k, v, block):
    half = len(q) // 2
    shared = np.frombuffer(mmap.mmap(-1, half * len(k) * 4), np.float32).reshape(half, len(k))
    own = np.empty((len(q) - half, len(k)), np.float32)
    parts = []
    for rows, s in ((q[:half], shared), (q[half:], own)):
        np.matmul(rows, k.T, out=s)
    for s in (shared, own):
        s /= np.sqrt(np.float32(q.shape[1]))
        s -= s.max(1, keepdims=True)
        np.exp(s, out=s)
        parts.append(s @ v / s.sum(1, keepdims=True))
    return np.concatenate(parts)
