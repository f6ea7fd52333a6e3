# assignment: online-softmax
# expect: score=100
# tries: every block by itself, merged by their logarithms of sums
from functools import reduce

import numpy as np


def part(q, k, v):
    s = q @ k.T / np.sqrt(q.shape[1]).astype(q.dtype)
    top = s.max(1)
    p = np.exp(s - top[:, None])
    total = p.sum(1)
    return p @ v / total[:, None], top + np.log(total)


def merge(a, b):
    top = np.maximum(a[1], b[1])
    x, y = np.exp(a[1] - top), np.exp(b[1] - top)
    return (a[0] * x[:, None] + b[0] * y[:, None]) / (x + y)[:, None], top + np.log(x + y)


def blocked_attention(q, k, v, block):
    return reduce(merge, (part(q, k[i : i + block], v[i : i + block]) for i in range(0, len(k), block)))[0]
