"""Attention over blocks of keys with a running maximum and a running sum, in named steps."""

import math

import numpy as np


def blocked_attention(q, k, v, block):
    """softmax(QKᵀ/√d)V with only (queries × block) scores at a time."""
    q, k, v = roles(q, k, v)
    highest = np.full((len(q), 1), -np.inf, q.dtype)
    total = np.zeros((len(q), 1), q.dtype)
    output = np.zeros((len(q), v.shape[-1]), q.dtype)
    for start in starts(len(k), block):
        tile = scale(scores(q, k[start : start + block]), q.shape[-1])
        old, highest = highest, larger(highest, tile)
        factor, powers = shrink(old, highest), np.exp(tile - highest)
        total = grow_total(total, factor, powers)
        output = grow_output(output, factor, powers, v[start : start + block])
    return finish(output, total)


def roles(q, k, v):
    """Who asks, who answers, and what is averaged."""
    return q, k, v


def starts(keys, block):
    """Where the blocks of keys begin."""
    return range(0, keys, block)


def scores(q, k):
    """The products of every query with the keys of a block."""
    return q @ k.swapaxes(-1, -2)


def scale(scores, width):
    """The products brought to the size they would have at width 1."""
    return scores / math.sqrt(width)


def larger(old, scores):
    """The running maximum of each query after one more block."""
    return np.maximum(old, scores.max(axis=-1, keepdims=True))


def shrink(old, new):
    """By how much all that was summed under the old maximum must shrink."""
    return np.exp(old - new)


def grow_total(total, factor, powers):
    """The running sum of the powers after one more block."""
    return total * factor + powers.sum(axis=-1, keepdims=True)


def grow_output(output, factor, powers, v):
    """The running sum of powers times values after one more block."""
    return output * factor + powers @ v


def finish(output, total):
    """The weighted mean."""
    return output / total
