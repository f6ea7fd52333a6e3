"""The scoring rules before the scaled product: a tanh of sums, and linear maps of what stands side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pyattn import _core, runtime
from pyattn.functional import attention
from pyattn.masks import Mask, as_mask

_HALVES = ("float16", "bfloat16")


def additive_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    query_weight: ArrayLike,
    key_weight: ArrayLike,
    score_weight: ArrayLike,
    mask: Any = None,
    *,
    bias: Any = None,
    return_weights: bool = False,
    num_threads: int | None = None,
) -> Any:
    """Weigh values by a learned comparison of query and key (Bahdanau et al., 2015).

    Computes ``softmax(score_weight · tanh(query_weight @ query + key_weight @ key)) @ value`` block by block: nothing
    of shape (queries, keys, hidden) is stored, and of (queries, keys) only what is asked for.

    Parameters
    ----------
    query : (..., heads, queries, query_width) array
        float64, float32, float16 or bfloat16; 2-D is one head.
    key : (..., kv_heads, keys, key_width) array
        ``heads`` must be a multiple of ``kv_heads``. Leading axes broadcast.
    value : (..., kv_heads, keys, value_width) array
    query_weight, key_weight : (hidden, query_width) and (hidden, key_width) arrays
    score_weight : (hidden,) array
    mask : Mask or boolean array, optional
        True where a query may look.
    bias : floating array, ``alibi(...)`` or a tuple of them, optional
        Added to the scores.
    return_weights : bool
        Also return the weights.
    num_threads : int, optional
        Default: :func:`pyattn.get_num_threads`.

    Returns
    -------
    out : (..., heads, queries, value_width) array
        In query's dtype; half types are computed in float32. A query that sees no key gets zeros.
    weights : (..., heads, queries, keys) array
        If ``return_weights``.

    Raises
    ------
    TypeError
        For other dtypes and mixed dtypes.
    ValueError
        For shapes that do not fit.

    Notes
    -----
    Each tanh is within 2 ulp, as is ``softcap``'s.

    Examples
    --------
    >>> import numpy as np, pyattn
    >>> rng = np.random.default_rng(0)
    >>> q, k, v = rng.standard_normal((3, 1, 5)), rng.standard_normal((3, 7, 4)), rng.standard_normal((3, 7, 6))
    >>> w_q, w_k, w = rng.standard_normal((8, 5)), rng.standard_normal((8, 4)), rng.standard_normal(8)
    >>> out, weights = pyattn.additive_attention(q, k, v, w_q, w_k, w, return_weights=True)
    >>> scores = np.tanh((q @ w_q.T)[..., :, None, :] + (k @ w_k.T)[..., None, :, :]) @ w
    >>> bool(np.allclose(out, pyattn.softmax(scores) @ v))
    True
    """
    name = "additive_attention"
    query, key, value = (np.asarray(x) for x in (query, key, value))
    weights = {"query_weight": query_weight, "key_weight": key_weight, "score_weight": score_weight}
    given = query.dtype
    q, k, v, (w_q, w_k, w) = _widened(name, (query, key, value), weights)
    _check_weight(name, "query", q, "query_weight", w_q)
    _check_weight(name, "key", k, "key_weight", w_k)
    if len(w_q) != len(w_k):
        raise ValueError(
            f"{name}: query_weight has {len(w_q)} hidden units and key_weight {len(w_k)}; expected as many."
        )
    mask = mask if mask is None or type(mask) is Mask else as_mask(mask, f"{name}: mask")
    threads = runtime.threads_for(num_threads)
    result = _core.additive_attention(q @ w_q.T, k @ w_k.T, v, w, mask, bias, return_weights, threads)
    return _as(result, given)


def _widened(name: str, arrays: Any, weights: dict[str, Any]) -> tuple[Any, ...]:
    """All in one dtype that is computed with; half types become float32."""
    dtypes = [x.dtype for x in arrays] + [np.asarray(x).dtype for x in weights.values()]
    if len(set(dtypes)) != 1:
        names = ", ".join(
            f"{n} {d}" for n, d in zip(("query", "key", "value", *weights), dtypes, strict=True)
        )
        raise TypeError(f"{name}: the arrays must share one dtype; got {names} (convert with .astype).")
    working = np.dtype("float32") if dtypes[0].name in _HALVES else dtypes[0]
    if working.name not in ("float32", "float64"):
        raise TypeError(f"{name}: query is {working}; expected float64, float32, float16 or bfloat16.")
    return (
        *(x.astype(working, copy=False) for x in arrays),
        [np.asarray(x, working) for x in weights.values()],
    )


def _check_weight(name: str, argument: str, x: np.ndarray, weight_name: str, weight: np.ndarray) -> None:
    if x.ndim < 2:
        raise ValueError(f"{name}: {argument} has shape {x.shape}; expected (..., heads, sequence, width).")
    if weight.ndim != 2 or weight.shape[1] != x.shape[-1]:
        raise ValueError(
            f"{name}: {weight_name} has shape {weight.shape}; expected (hidden, {x.shape[-1]}), as wide as {argument}."
        )


def _as(result: Any, dtype: np.dtype) -> Any:
    if isinstance(result, tuple):
        return tuple(one.astype(dtype, copy=False) for one in result)
    return result.astype(dtype, copy=False)


def concat_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    score_weight: ArrayLike,
    score_bias: ArrayLike | None,
    output_weight: ArrayLike,
    output_bias: ArrayLike | None,
    mask: Any = None,
    *,
    return_weights: bool = False,
) -> Any:
    """Weigh values by a linear map of query and key side by side, and join the query once more.

    The older rule of recurrent translators, which has a place's weight from the place alone and not from what stands
    there::

        weights = softmax(score_weight @ [query; key] + score_bias)     one for each step of the encoder
        context = weights @ value
        out     = output_weight @ [query; context] + output_bias

    Parameters
    ----------
    query : (..., queries, query_width) array
        What the decoder said last, or its state.
    key : (..., queries, key_width) array
        One for each query: the decoder's state, or what it said last.
    value : (..., steps, value_width) array
        The encoder's outputs.
    score_weight : (most_steps, query_width + key_width) array
        For encoders of up to ``most_steps`` steps; the rows beyond ``steps`` are not used.
    score_bias : (most_steps,) array or None
    output_weight : (output_width, query_width + value_width) array
    output_bias : (output_width,) array or None
    mask : Mask or boolean array, optional
        True where a query may look: broadcasts to (..., queries, steps).
    return_weights : bool

    Returns
    -------
    out : (..., queries, output_width) array
    weights : (..., queries, steps) array
        If ``return_weights``.

    Raises
    ------
    ValueError
        For shapes that do not fit.

    Examples
    --------
    >>> import numpy as np, pyattn
    >>> said, state, encoded = np.ones((2, 1, 3)), np.ones((2, 1, 4)), np.ones((2, 6, 5))
    >>> out, weights = pyattn.concat_attention(
    ...     said, state, encoded, np.ones((9, 7)), None, np.ones((4, 8)), None, return_weights=True
    ... )
    >>> out.shape, weights.shape
    ((2, 1, 4), (2, 1, 6))
    """
    name = "concat_attention"
    query, key, value, score_weight, output_weight = (
        np.asarray(x) for x in (query, key, value, score_weight, output_weight)
    )
    steps = value.shape[-2] if value.ndim > 1 else 0
    _check_sides(name, "score_weight", score_weight, "[query; key]", query, key)
    _check_sides(name, "output_weight", output_weight, "[query; context]", query, value)
    if steps > len(score_weight):
        raise ValueError(
            f"{name}: value has {steps} steps and score_weight {len(score_weight)}; expected no more."
        )
    scores = np.concatenate([query, key], axis=-1) @ score_weight[:steps].T
    if score_bias is not None:
        scores = scores + np.asarray(score_bias)[:steps]
    found = _weigh(scores, value, mask, return_weights)
    context, *weights = found if return_weights else (found,)
    out = (
        np.concatenate([np.broadcast_to(query, (*context.shape[:-1], query.shape[-1])), context], -1)
        @ output_weight.T
    )
    if output_bias is not None:
        out = out + output_bias
    return (out, *weights) if return_weights else out


def _weigh(scores: np.ndarray, value: np.ndarray, mask: Any, return_weights: bool) -> Any:
    """Attention by given scores: they are the bias of products that are all 0."""
    nothing = np.zeros((*scores.shape[:-1], 1), scores.dtype)
    no_keys = np.zeros((*value.shape[:-1], 1), scores.dtype)
    if scores.ndim == 2:
        return attention(nothing, no_keys, value, mask, bias=scores, return_weights=return_weights)
    # One head: the axis that a batch of sequences does not have.
    q, k, v, s = (x[..., None, :, :] for x in (nothing, no_keys, value, scores))
    found = attention(q, k, v, mask, bias=s, return_weights=return_weights)
    return tuple(x[..., 0, :, :] for x in found) if return_weights else found[..., 0, :, :]


def _check_sides(name: str, argument: str, weight: np.ndarray, what: str, *sides: np.ndarray) -> None:
    width = sum(side.shape[-1] if side.ndim > 1 else 0 for side in sides)
    if weight.ndim != 2 or weight.shape[1] != width:
        shapes = " and ".join(str(side.shape) for side in sides)
        raise ValueError(
            f"{name}: {argument} has shape {weight.shape}; expected (rows, {width}) for {what} of shapes {shapes}."
        )
