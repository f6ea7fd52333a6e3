"""Attention of several heads, in named steps; a fast program does the same in another order."""

import math

import numpy as np


def attention(q, k, v):
    """softmax(QKᵀ/√d)V for every head."""
    q, k, v = roles(q, k, v)
    return combine(weigh(scale(scores(q, k), q.shape[-1])), v)


def attention_double(q, k, v):
    """The same for float64."""
    return attention(q, k, v)


def roles(q, k, v):
    """Who asks, who answers, and what is averaged."""
    return q, k, v


def scores(q, k):
    """The products of every query with every key."""
    return q @ k.swapaxes(-1, -2)


def scale(scores, width):
    """The products brought to the size they would have at width 1."""
    return scores / math.sqrt(width)


def weigh(scores):
    """Softmax over the keys."""
    powers = exponentials(scores - largest(scores))
    return share(powers, total(powers))


def largest(scores):
    """The largest score of each query."""
    return scores.max(axis=-1, keepdims=True)


def exponentials(shifted):
    """The powers of e."""
    return np.exp(shifted)


def total(powers):
    """What each row is divided by."""
    return powers.sum(axis=-1, keepdims=True)


def share(powers, totals):
    """Each power's part of its row."""
    return powers / totals


def combine(weights, v):
    """The mean of the values by weight."""
    return weights @ v
