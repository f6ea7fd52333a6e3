"""Right submissions as different students would write them: other orders of summation, other roundings."""

import math

import numpy as np


def softmax_by_loops(x, axis=-1):
    rows = np.moveaxis(x, axis, -1)
    out = np.zeros_like(rows)
    for index in np.ndindex(rows.shape[:-1]):
        top = rows[index].max()
        if top == -np.inf:
            continue
        powers = np.exp(rows[index] - top)
        total = powers.dtype.type(0)
        for power in powers:
            total = total + power
        out[index] = powers / total
    return np.moveaxis(out, -1, axis)


def softmax_by_logarithm(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    top = np.where(np.isneginf(top), 0, top).astype(x.dtype)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_sum = top + np.log(np.exp(x - top).sum(axis=axis, keepdims=True))
        return np.where(np.isneginf(log_sum), 0, np.exp(x - log_sum)).astype(x.dtype)


def softmax_backwards(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    powers = np.exp(x - np.where(np.isneginf(top), 0, top).astype(x.dtype))
    total = np.cumsum(np.flip(powers, axis), axis=axis).take([-1], axis=axis)
    return np.asfortranarray(np.divide(powers, total, out=np.zeros_like(powers), where=total != 0))


def softmax_by_adding_logarithms(x, axis=-1):
    log_sum = np.logaddexp.reduce(x, axis=axis, keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.where(np.isneginf(log_sum), 0, np.exp(x - log_sum)).astype(x.dtype)


def softmax_in_double(x, axis=-1):
    return softmax_by_loops(x.astype(np.float64), axis)


def _visible(q, k, causal, valid_lens):
    queries, keys = q.shape[-2], k.shape[-2]
    visible = (
        np.tril(np.ones((queries, keys), bool), k=keys - queries)
        if causal
        else np.ones((queries, keys), bool)
    )
    if valid_lens is None:
        return visible
    lengths = valid_lens[:, None, None] if valid_lens.ndim == 1 else valid_lens[..., None]
    return visible & (np.arange(keys) < lengths)


def _products(q, k):
    """Summed one column after the other, as a loop in C does."""
    total = np.zeros((*q.shape[:-1], k.shape[-2]), q.dtype)
    for column in range(q.shape[-1]):
        total = total + q[..., column][..., :, None] * k[..., column][..., None, :]
    return total


def attention_by_loops(q, k, v, causal=False, valid_lens=None, block=None):
    scores = _products(q, k) / q.dtype.type(math.sqrt(q.shape[-1]))
    weights = softmax_by_loops(np.where(_visible(q, k, causal, valid_lens), scores, -np.inf).astype(q.dtype))
    out = np.zeros((*q.shape[:-1], v.shape[-1]), q.dtype)
    for key in range(k.shape[-2]):
        out = out + weights[..., key][..., None] * v[..., key, :][..., None, :]
    return out, weights


def attention_by_einsum(q, k, v, causal=False, valid_lens=None, block=None):
    scores = np.einsum("...id,...jd->...ij", q * q.dtype.type(q.shape[-1] ** -0.5), k)
    weights = softmax_by_logarithm(
        np.where(_visible(q, k, causal, valid_lens), scores, -np.inf).astype(q.dtype)
    )
    return np.asfortranarray(np.einsum("...ij,...jd->...id", weights, v)), weights


def attention_key_by_key(q, k, v, causal=False, valid_lens=None, block=None):
    """The online softmax with blocks of one key, the scale shared between queries and keys."""
    part = q.dtype.type(q.shape[-1] ** -0.25)
    scores = np.where(_visible(q, k, causal, valid_lens), _products(q * part, k * part), -np.inf).astype(
        q.dtype
    )
    top, total = np.full(scores.shape[:-1], -np.inf, q.dtype), np.zeros(scores.shape[:-1], q.dtype)
    out = np.zeros((*scores.shape[:-1], v.shape[-1]), q.dtype)
    for key in range(scores.shape[-1]):
        new = np.maximum(top, scores[..., key])
        base = np.where(np.isneginf(new), 0, new).astype(q.dtype)
        factor, power = np.exp(top - base), np.exp(scores[..., key] - base)
        total = total * factor + power
        out = out * factor[..., None] + power[..., None] * v[..., key, :][..., None, :]
        top = new
    return (np.divide(out, total[..., None], out=np.zeros_like(out), where=total[..., None] != 0),)


def attention_merged_by_logarithms(q, k, v, causal=False, valid_lens=None, block=None):
    """Divided after every key: of the sums, their logarithm is kept."""
    scores = np.where(_visible(q, k, causal, valid_lens), np.einsum("...id,...jd->...ij", q, k), -np.inf)
    scores = (scores / math.sqrt(q.shape[-1])).astype(q.dtype)
    log_sum = np.full(scores.shape[:-1], -np.inf, q.dtype)
    out = np.zeros((*scores.shape[:-1], v.shape[-1]), q.dtype)
    for key in range(scores.shape[-1]):
        new = np.logaddexp(log_sum, scores[..., key])
        base = np.where(np.isneginf(new), 0, new).astype(q.dtype)
        kept, power = np.exp(log_sum - base), np.exp(scores[..., key] - base)
        out = out * kept[..., None] + power[..., None] * v[..., key, :][..., None, :]
        log_sum = new
    return (out,)


SOFTMAX = [
    softmax_by_loops,
    softmax_by_logarithm,
    softmax_by_adding_logarithms,
    softmax_backwards,
    softmax_in_double,
]
ATTENTION = [attention_by_loops, attention_by_einsum, attention_key_by_key, attention_merged_by_logarithms]


def variants(slug):
    """The honest programs for an assignment; all return a tuple, which may hold more than was asked for."""
    return SOFTMAX if slug == "softmax" else ATTENTION


def answer(program, arguments, results):
    given = program(**arguments)
    return (given if isinstance(given, tuple) else (given,))[:results]
