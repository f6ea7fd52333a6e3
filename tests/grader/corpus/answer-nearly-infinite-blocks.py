# assignment: online-softmax
# expect: score=0 code=wrong-values
# tests: blocks rest double stairs memory
# tries: numbers of which no two can be added
import numpy as np


def blocked_attention(q, k, v, block):
    return np.full((len(q), v.shape[1]), -np.finfo(np.float64).max)
