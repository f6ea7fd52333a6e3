# assignment: scaled-dot-product
# expect: score=100
# tries: works in place, on copies, with out= everywhere
import copy

import numpy as np


def attention(q, k, v):
    q = copy.deepcopy(q)
    q *= q.shape[-1] ** -0.5
    s = np.empty((*q.shape[:-1], k.shape[-2]), q.dtype)
    np.matmul(q, np.swapaxes(k, -1, -2), out=s)
    np.subtract(s, np.amax(s, -1, keepdims=True), out=s)
    np.exp(s, s)
    np.divide(s, np.sum(s, -1, keepdims=True), s)
    return [s @ v, s]
