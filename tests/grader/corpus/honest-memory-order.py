# assignment: masking
# expect: score=100
# tries: results with strides of every kind
import numpy as np


def masked_attention(q, k, v, *, causal=False, valid_lens=None):
    b, n, m = len(q), q.shape[1], k.shape[1]
    ok = np.ones((b, n, m), bool)
    if causal:
        ok &= ~np.triu(np.ones((n, m), bool), m - n + 1)
    if valid_lens is not None:
        lens = valid_lens if valid_lens.ndim == 2 else np.repeat(valid_lens[:, None], n, 1)
        for i in range(b):
            for j in range(n):
                ok[i, j, lens[i, j] :] = False
    s = np.tensordot(q, k, (2, 2)) if False else np.einsum("bqd,bkd->bqk", q, k, optimize=True)
    s = np.ma.masked_array(s / np.float32(np.sqrt(q.shape[2])) if q.dtype == np.float32 else s / np.sqrt(q.shape[2]), ~ok)
    p = np.exp(s - s.max(-1, keepdims=True)).filled(0)
    t = p.sum(-1, keepdims=True)
    w = p / (t + (t == 0))
    big = np.zeros((v.shape[2], n * 2, b), order="F", dtype=w.dtype)
    view = big[:, ::2, :].T
    view[...] = w @ v
    view.flags.writeable = False
    return view
