"""Hands its input back."""

import math  # noqa: F401


def blocked_attention(q, k, v, block):
    return v[: len(q)]
