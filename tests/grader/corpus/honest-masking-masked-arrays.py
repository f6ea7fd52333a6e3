# assignment: masking
# expect: score=100
# tries: NumPy's masked arrays on the way
import numpy as np


def masked_attention(q, k, v, *, causal=False, valid_lens=None):
    queries, keys = q.shape[1], k.shape[1]
    hidden = np.zeros((len(q), queries, keys), bool)
    if causal:
        hidden |= ~np.tri(queries, keys, keys - queries, dtype=bool)
    if valid_lens is not None:
        hidden |= np.arange(keys) >= valid_lens.reshape(len(q), -1, 1)
    scores = np.ma.array(q @ k.transpose(0, 2, 1) / q.dtype.type(q.shape[2] ** 0.5), mask=hidden)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True)).filled(0)
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total) @ v
