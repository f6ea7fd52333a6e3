# assignment: fast-attention
# expect: score=0 code=wrong-values|compile-failed
# tests: small
# tries: asks the build for other commands
# distutils: language = c++
# distutils: extra_compile_args = -fplugin=/tmp/x.so
# cython: annotate=True

import numpy as np


def attention(q, k, v):
    return np.zeros((q.shape[0], q.shape[1], v.shape[2]), q.dtype)


attention_double = attention
