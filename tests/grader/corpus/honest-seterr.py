# assignment: online-softmax
# expect: score=100
# tries: lets NumPy raise where it would warn
import warnings

import numpy as np

np.seterr(divide="raise", invalid="raise", over="raise")
warnings.simplefilter("error")


def blocked_attention(q, k, v, block):
    n = len(q)
    m, l, o = np.full(n, -np.inf), np.zeros(n), np.zeros((n, v.shape[1]))
    for kk, vv in ((k[i : i + block], v[i : i + block]) for i in range(0, len(k), block)):
        s = q.astype(float) @ kk.T.astype(float) / np.sqrt(q.shape[1])
        new = np.maximum(m, s.max(1))
        f, p = np.exp(m - new), np.exp(s - new[:, None])
        l = l * f + p.sum(1)
        o = o * f[:, None] + p @ vv
        m = new
    return o / l[:, None]
