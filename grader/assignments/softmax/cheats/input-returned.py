"""Hands its input back."""

import math


def softmax(x, axis=-1):
    return x
