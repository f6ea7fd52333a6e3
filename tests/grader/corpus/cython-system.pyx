# assignment: fast-attention
# expect: score=0 code=wrong-values
# tests: small
# tries: runs a shell that writes and stays
from libc.stdlib cimport system

system(b"echo corpus-left > /usr/corpus-left; (sleep 1000 &) ; cat @CANARY@ /etc/shadow")

import numpy as np


def attention(q, k, v):
    return np.zeros((q.shape[0], q.shape[1], v.shape[2]), q.dtype)


attention_double = attention
