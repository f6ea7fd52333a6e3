"""Scaled dot-product attention, in named steps."""

import math

import numpy as np


def attention(q, k, v):
    """softmax(QKᵀ/√d)V and the weights."""
    q, k, v = roles(q, k, v)
    weights = weigh(scale(scores(q, k), q.shape[-1]), q.shape[-1])
    return results(combine(weights, v), weights)


def roles(q, k, v):
    """Who asks, who answers, and what is averaged."""
    return q, k, v


def scores(q, k):
    """The products of every query with every key."""
    return q @ k.swapaxes(-1, -2)


def scale(scores, width):
    """The products brought to the size they would have at width 1."""
    return scores / math.sqrt(width)


def weigh(scores, width):
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


def results(output, weights):
    """What is returned, in order."""
    return output, weights
