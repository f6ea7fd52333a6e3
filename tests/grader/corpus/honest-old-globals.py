# assignment: scaled-dot-product
# expect: score=100
# tries: global state, nested functions, eval, del and a loop of while
import numpy as np
from numpy import *

W = None


def attention(q, k, v, debug=False, **unused):
    global W

    def go(a, b, c):
        global W
        n, m = a.shape[-2], b.shape[-2]
        W = eval("zeros((n, m))", globals(), locals())
        i = 0
        while i < n:
            j = 0
            while j < m:
                W[i][j] = dot(a[i].astype(float64), b[j].astype(float64)) / sqrt(a.shape[-1])
                j += 1
            W[i] = exp(W[i] - max(W[i]))
            W[i] /= sum(W[i])
            i += 1
        return W @ c

    flat = [a.reshape(-1, *a.shape[-2:]) for a in (q, k, v)]
    outs, ws = [], []
    for a, b, c in zip(*flat):
        outs.append(go(a, b, c))
        ws.append(W)
    del flat
    return array(outs).reshape(*q.shape[:-1], v.shape[-1]), array(ws).reshape(*q.shape[:-1], k.shape[-2])
