# assignment: online-softmax
# expect: score=100
# tries: halves the keys until a block is left, and merges the halves
import sys

import numpy as np

sys.setrecursionlimit(100_000)


def part(q, k, v, block):
    if len(k) <= block:
        s = q @ k.T / np.sqrt(q.shape[1]).astype(q.dtype)
        m = s.max(1, keepdims=True)
        p = np.exp(s - m)
        return m, p.sum(1, keepdims=True), p @ v
    half = (len(k) // 2 + block - 1) // block * block
    if half >= len(k):
        half = len(k) - 1
    a, b = part(q, k[:half], v[:half], block), part(q, k[half:], v[half:], block)
    m = np.maximum(a[0], b[0])
    f, g = np.exp(a[0] - m), np.exp(b[0] - m)
    return m, a[1] * f + b[1] * g, a[2] * f + b[2] * g


def blocked_attention(q, k, v, block):
    _, l, o = part(q, k, v, max(1, block))
    return o / l
