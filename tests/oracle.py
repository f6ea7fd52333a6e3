"""Attention by its definition, in plain NumPy: what every kernel is tested against. Kept slow and obvious.

The same few lines in a wider type are the exact answer, and in the precision of the inputs they are "the obvious
way", whose error is the measure for ours.
"""

from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

FLOAT64, FLOAT32, FLOAT16 = (np.dtype(name) for name in ("float64", "float32", "float16"))
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
DTYPES = [FLOAT64, FLOAT32, FLOAT16, BFLOAT16]


class Attention(NamedTuple):
    out: Array  # (..., heads, queries, value_width)
    lse: Array  # (..., heads, queries)
    weights: Array  # (..., heads, queries, keys)
    scores: Array  # likewise, before the mask


def eps(dtype: Any) -> float:
    return float(ml_dtypes.finfo(dtype).eps)


def arithmetic(dtype: Any) -> np.dtype:
    """The type that sums of `dtype` inputs are held in, and their lse is given in."""
    return np.promote_types(dtype, FLOAT32)


def exact_for(dtype: Any) -> np.dtype:
    """A type whose rounding errors do not count beside those of `dtype`."""
    return np.dtype(np.longdouble) if np.dtype(dtype) == FLOAT64 else FLOAT64


def attention(
    query, key, value, *, sees=True, biases=(), scale=None, softcap=None, sinks=None, dtype=FLOAT64
) -> Attention:
    """Weigh values with scores and weights stored in `dtype`, sums in the type of its arithmetic.

    query, key, value are (..., heads, sequence, width); `sees` and each of `biases` broadcast to
    (..., heads, queries, keys); `sinks` is (heads,).
    """
    working = arithmetic(dtype)
    q, k, v = (np.asarray(x).astype(working) for x in (query, key, value))
    k, v = (np.repeat(x, q.shape[-3] // k.shape[-3], axis=-3) for x in (k, v))
    scale = working.type(q.shape[-1] ** -0.5 if scale is None else scale)
    with np.errstate(all="ignore"):
        s = rounded((q @ k.swapaxes(-1, -2)) * scale, dtype)
        if softcap is not None:
            s = rounded(working.type(softcap) * np.tanh(s / working.type(softcap)), dtype)
        sees = np.broadcast_to(sees, s.shape)
        for bias in biases:
            bias = np.asarray(bias).astype(working)
            s, sees = rounded(s + bias, dtype), sees & (bias != -np.inf)
        weights, lse = softmax_of_seen(s, sees, None if sinks is None else np.asarray(sinks, working))
        weights = rounded(weights, dtype)
        return Attention(rounded(sum_of_seen(weights, sees, v), dtype).astype(dtype), lse, weights, s)


def softmax_of_seen(s, sees, sinks):
    """(weights, lse): a row that sees nothing has weights 0 and lse −inf; a sink is one more logit below the line."""
    sink = (
        np.full(s.shape[:-1], -np.inf, s.dtype)
        if sinks is None
        else sinks[:, None] + np.zeros_like(s[..., 0])
    )
    top = np.maximum(np.where(sees, s, -np.inf).max(axis=-1, initial=-np.inf), sink)
    nothing = ~sees.any(axis=-1) & (sinks is None)
    exps = np.where(sees, np.exp(s - top[..., None]), 0).astype(s.dtype)
    total = exps.sum(axis=-1) + (0 if sinks is None else np.exp(sink - top))
    weights = np.where(nothing[..., None], 0, exps / total[..., None]).astype(s.dtype)
    return weights, np.where(nothing, -np.inf, top + np.log(total)).astype(s.dtype)


def sum_of_seen(weights, sees, v):
    """Σ_j weights[i, j] · v[j] over what i sees: anything else may be NaN."""
    if np.isfinite(v).all():
        return np.where(sees, weights, 0) @ v
    return np.where(sees[..., None], weights[..., None] * v[..., None, :, :], 0).sum(axis=-2)


def rounded(x, dtype):
    """To the precision of `dtype`, and back into the type of the arithmetic."""
    return x.astype(dtype).astype(x.dtype)


# ---- masks and biases as arrays: (..., 1, queries, keys) from one number, or one per batch item ----


def per_item(x) -> Array:
    return np.asarray(x)[..., None, None, None]


def offset_of(queries, keys, align=None, offset=None, key_lengths=None, query_lengths=None) -> Array:
    """How far the first query stands from the first key."""
    if offset is not None:
        return np.asarray(offset)
    if align == "top-left":
        return np.asarray(0)
    return np.asarray(keys if key_lengths is None else key_lengths) - (
        queries if query_lengths is None else query_lengths
    )


def band(queries, keys, left=None, right=None, *, offset) -> Array:
    """True where i + offset − left ≤ j ≤ i + offset + right."""
    position, key = np.arange(queries)[:, None] + per_item(offset), np.arange(keys)
    after = True if left is None else key >= position - left
    before = True if right is None else key <= position + right
    return np.broadcast_to(after & before, position.shape[:-1] + (keys,))


def within(queries, keys, key_lengths=None, query_lengths=None) -> Array:
    """True where both query and key are before the end of their item."""
    key = np.arange(keys) < per_item(keys if key_lengths is None else key_lengths)
    return key & (np.arange(queries)[:, None] < per_item(queries if query_lengths is None else query_lengths))


def alibi(slopes, queries, keys, *, offset) -> Array:
    """−slope · |i + offset − j|"""
    distance = np.abs(np.arange(queries)[:, None] + per_item(offset) - np.arange(keys))
    return -np.asarray(slopes)[:, None, None] * distance


# ---- comparing ----


def max_error(actual, exact) -> float:
    """The largest difference; infinite where one is NaN and the other is not."""
    actual, exact = (np.asarray(x).astype(np.float64) for x in (actual, exact))
    assert actual.shape == exact.shape
    with np.errstate(invalid="ignore"):
        same = (actual == exact) | (np.isnan(actual) & np.isnan(exact))
        error = np.where(same, 0, np.abs(actual - exact))
    return float(np.nan_to_num(error, nan=np.inf).max(initial=0))


def bits(x) -> Array:
    """The bytes of an array; NaNs are all one NaN, whose sign and payload nothing promises."""
    x = np.array(x)
    x[np.isnan(x)] = np.nan
    return x.view(f"u{x.dtype.itemsize}")


def assert_same_bits(actual, expected, message="") -> None:
    for one, other in zip(*(x if isinstance(x, tuple) else (x,) for x in (actual, expected)), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(bits(one), bits(other), err_msg=message)
