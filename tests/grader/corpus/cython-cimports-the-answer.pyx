# assignment: fast-attention
# expect: score=0 code=compile-failed
# tests: small
# tries: takes pyattn's own attention
from pyattn.cython_api cimport attention as theirs

import numpy as np


def attention(q, k, v):
    return np.zeros((q.shape[0], q.shape[1], v.shape[2]), q.dtype)


attention_double = attention
