# assignment: scaled-dot-product
# expect: score=100
# tries: nothing but loops over numbers
import math

import numpy as np


def attention(q, k, v):
    lead = q.shape[:-2]
    out = np.zeros((*q.shape[:-1], v.shape[-1]))
    weights = np.zeros((*q.shape[:-1], k.shape[-2]))
    for at in np.ndindex(lead):
        for i, one in enumerate(q[at]):
            scores = [sum(float(a) * float(b) for a, b in zip(one, key)) / math.sqrt(len(one)) for key in k[at]]
            top = max(scores)
            powers = [math.exp(s - top) for s in scores]
            for j, p in enumerate(powers):
                weights[at][i, j] = p / sum(powers)
            out[at][i] = [math.fsum(w * float(x) for w, x in zip(weights[at][i], column)) for column in v[at].T]
    return out, weights
