"""Attention with causal masks and valid lengths, in named steps."""

import math

import numpy as np


def masked_attention(q, k, v, *, causal=False, valid_lens=None):
    """softmax(QKᵀ/√d)V over the keys that each query may see; zeros where it sees none."""
    q, k, v = roles(q, k, v)
    visible = seen(q.shape[-2], k.shape[-2], causal, valid_lens)
    return combine(weigh(scale(scores(q, k), q.shape[-1]), visible), v)


def roles(q, k, v):
    """Who asks, who answers, and what is averaged."""
    return q, k, v


def scores(q, k):
    """The products of every query with every key."""
    return q @ k.swapaxes(-1, -2)


def scale(scores, width):
    """The products brought to the size they would have at width 1."""
    return scores / math.sqrt(width)


def seen(queries, keys, causal, valid_lens):
    """True where a query may look: (queries, keys), or one of them for each item of the batch."""
    if valid_lens is None:
        return triangle(queries, keys) if causal else np.ones((queries, keys), bool)
    valid = within(columns(valid_lens), queries, keys)
    return both(triangle(queries, keys), valid) if causal else valid


def triangle(queries, keys):
    """A query sees the keys up to its own position."""
    return np.arange(keys) <= np.arange(queries)[:, None] + corner(queries, keys) + reach()


def corner(queries, keys):
    """The position of the first query: the queries are the last ones of the sequence."""
    return keys - queries


def reach():
    """How far a query sees beyond its own position."""
    return 0


def columns(valid_lens):
    """The lengths, so that they broadcast over the keys: (batch, 1 or queries, 1)."""
    return valid_lens.reshape(len(valid_lens), -1, 1)


def within(lengths, queries, keys):
    """The first keys, as many as the length says."""
    return np.arange(keys) < lengths


def both(causal, valid):
    """A key must pass both masks."""
    return causal & valid


def weigh(scores, visible):
    """Softmax over the visible keys."""
    hidden = hide(scores, visible)
    powers = exponentials(hidden - base(largest(hidden)))
    return share(powers, total(powers))


def hide(scores, visible):
    """−∞ where a query may not look: exp makes it 0."""
    return np.where(visible, scores, -np.inf).astype(scores.dtype)


def largest(scores):
    """The largest score of each query."""
    return scores.max(axis=-1, keepdims=True)


def base(top):
    """What is taken off: 0 for a query that sees nothing, where (−inf) − (−inf) would be NaN."""
    return np.where(np.isneginf(top), np.zeros_like(top), top)


def exponentials(shifted):
    """The powers of e."""
    return np.exp(shifted)


def total(powers):
    """What each row is divided by."""
    return powers.sum(axis=-1, keepdims=True)


def share(powers, totals):
    """Each power's part of its row; zeros where all of them are 0."""
    return np.divide(powers, totals, out=np.zeros_like(powers), where=totals != 0)


def combine(weights, v):
    """The mean of the values by weight."""
    return weights @ v
