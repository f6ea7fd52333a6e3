# assignment: masking
# expect: score=100
# tries: only the visible keys, query by query
import numpy as np


def one(query, keys, values):
    if not len(keys):
        return np.zeros(values.shape[1])
    s = keys @ query / len(query) ** 0.5
    p = np.exp(s - s.max())
    return p @ values / p.sum()


def masked_attention(q, k, v, *, causal=False, valid_lens=None):
    n, m = q.shape[1], k.shape[1]
    lens = np.full((len(q), n), m) if valid_lens is None else valid_lens.reshape(len(q), -1) + np.zeros((len(q), n), int)
    rows = []
    for b in range(len(q)):
        for i in range(n):
            end = min(lens[b, i], i + m - n + 1) if causal else lens[b, i]
            rows.append(one(q[b, i], k[b, :end], v[b, :end]))
    return np.array(rows, q.dtype).reshape(len(q), n, v.shape[2])
