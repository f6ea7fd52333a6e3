"""Hands its input back."""

import math


def blocked_attention(q, k, v, block):
    return v[: len(q)]
