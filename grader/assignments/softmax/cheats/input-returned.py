"""Hands its input back."""

import math  # noqa: F401


def softmax(x, axis=-1):
    return x
