"""Hands its input back."""

import math


def masked_attention(q, k, v, *, causal=False, valid_lens=None):
    return v[..., : q.shape[-2], :]
