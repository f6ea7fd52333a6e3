"""Softmax along an axis, in named steps."""

import numpy as np


def softmax(x, axis=-1):
    """exp(x) / Σ exp(x), with the largest number of each row taken off first."""
    axis = direction(axis)
    powers = exponentials(x - base(largest(x, axis)))
    return share(powers, total(powers, axis))


def direction(axis):
    """The axis along which the weights sum to 1."""
    return axis


def largest(x, axis):
    """The largest number of each row."""
    return x.max(axis=axis, keepdims=True)


def base(top):
    """What is taken off: 0 in a row of only −inf, where (−inf) − (−inf) would be NaN."""
    return np.where(np.isneginf(top), np.zeros_like(top), top)


def exponentials(shifted):
    """The powers of e."""
    return np.exp(shifted)


def total(powers, axis):
    """What each row is divided by."""
    return powers.sum(axis=axis, keepdims=True)


def share(powers, totals):
    """Each power's part of its row; zeros where all of them are 0."""
    return np.divide(powers, totals, out=np.zeros_like(powers), where=totals != 0)
