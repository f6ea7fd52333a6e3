# assignment: fast-attention
# expect: score=0 code=compile-failed
# tests: small
# tries: includes a file of the host
include "@CANARY@"

import numpy as np


def attention(q, k, v):
    return np.zeros((q.shape[0], q.shape[1], v.shape[2]), q.dtype)


attention_double = attention
