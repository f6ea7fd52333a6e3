"""The same weight for everything."""

import numpy as np


def attention(q, k, v):
    weights = np.full((*q.shape[:-1], k.shape[-2]), 1 / k.shape[-2], q.dtype)
    return weights @ v, weights
