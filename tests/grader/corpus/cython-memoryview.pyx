# assignment: fast-attention
# expect: score=0 code=result-wrong-type
# tests: small double
# tries: a memoryview as the answer
import numpy as np


def attention(q, k, v):
    cdef double[:, :, ::1] out = np.zeros((q.shape[0], q.shape[1], v.shape[2]))
    return out


attention_double = attention
