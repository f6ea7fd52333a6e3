"""The same weight for everything."""

import numpy as np


def masked_attention(q, k, v, *, causal=False, valid_lens=None):
    weights = np.full((*q.shape[:-1], k.shape[-2]), 1 / k.shape[-2], q.dtype)
    return weights @ v
