# assignment: online-softmax
# expect: score=0 code=too-much-memory|out-of-memory
# tests: memory
# tries: the whole matrix of scores, rightly
import numpy as np


def blocked_attention(q, k, v, block):
    s = q @ k.T / np.sqrt(q.shape[1]).astype(q.dtype)
    p = np.exp(s - s.max(1, keepdims=True))
    return p / p.sum(1, keepdims=True) @ v
