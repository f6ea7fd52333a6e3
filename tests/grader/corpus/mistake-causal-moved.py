# assignment: masking
# expect: score=84 named=corner-mirrored code=wrong-values
# tests: no-mask causal lengths double cached lengths-per-query both lengths-double empty large stairs low
# tries: the triangle moved the wrong way
import numpy as np


def masked_attention(q, k, v, *, causal=False, valid_lens=None):
    n, m = q.shape[1], k.shape[1]
    seen = np.tri(n, m, n - m, dtype=bool) if causal else np.ones((n, m), bool)
    if valid_lens is not None:
        seen = seen & (np.arange(m) < valid_lens.reshape(len(q), -1, 1))
    s = np.where(seen, q @ k.swapaxes(1, 2) / np.sqrt(q.shape[2]).astype(q.dtype), -np.inf).astype(q.dtype)
    top = s.max(-1, keepdims=True)
    p = np.exp(s - np.where(np.isneginf(top), 0, top).astype(q.dtype))
    t = p.sum(-1, keepdims=True)
    return p / np.where(t == 0, 1, t) @ v
