"""The same weight for everything."""

import numpy as np


def blocked_attention(q, k, v, block):
    return np.broadcast_to(v.mean(axis=0), (len(q), v.shape[-1])).copy()
