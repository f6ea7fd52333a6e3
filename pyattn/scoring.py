"""The scoring rules before the scaled product: a tanh of sums, and linear maps of what stands side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pyattn import _core, runtime
from pyattn.arrays import FLOATING, as_numpy, dtype_name, framework_of, from_numpy, readable_bias
from pyattn.functional import attention
from pyattn.masks import Mask, as_mask


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
        In query's dtype and array type; half types are computed in float32. A query that sees no key gets zeros.
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
    q, k, v, w_q, w_k, w = _widened(
        name, query=query, key=key, value=value,
        query_weight=query_weight, key_weight=key_weight, score_weight=score_weight,
    )  # fmt: skip
    _check_weight(name, "query", q, "query_weight", w_q)
    _check_weight(name, "key", k, "key_weight", w_k)
    if len(w_q) != len(w_k):
        raise ValueError(
            f"{name}: query_weight has {len(w_q)} hidden units and key_weight {len(w_k)}; expected as many."
        )
    mask = mask if mask is None or type(mask) is Mask else as_mask(mask, f"{name}: mask")
    bias = readable_bias(bias, f"{name}: bias")
    threads = runtime.threads_for(num_threads)
    result = _core.additive_attention(q @ w_q.T, k @ w_k.T, v, w, mask, bias, return_weights, threads)
    return _as(result, query)


def _widened(name: str, **arrays: Any) -> list[Any]:
    """All as NumPy's, in one dtype that is computed with; half types become float32. None stays None."""
    dtypes = {argument: dtype_name(x) for argument, x in arrays.items() if x is not None}
    if len(set(dtypes.values())) != 1:
        names = ", ".join(f"{argument} {dtype}" for argument, dtype in dtypes.items())
        raise TypeError(f"{name}: the arrays must share one dtype; got {names} (convert with .astype).")
    dtype = dtypes["query"]
    if dtype not in FLOATING:
        raise TypeError(f"{name}: query is {dtype}; expected {', '.join(FLOATING)}.")
    working = np.float64 if dtype == "float64" else np.float32
    return [
        None if x is None else as_numpy(x, f"{name}: {argument}").astype(working, copy=False)
        for argument, x in arrays.items()
    ]


def _check_weight(name: str, argument: str, x: np.ndarray, weight_name: str, weight: np.ndarray) -> None:
    if x.ndim < 2:
        raise ValueError(f"{name}: {argument} has shape {x.shape}; expected (..., heads, sequence, width).")
    if weight.ndim != 2 or weight.shape[1] != x.shape[-1]:
        raise ValueError(
            f"{name}: {weight_name} has shape {weight.shape}; expected (hidden, {x.shape[-1]}), as wide as {argument}."
        )


def _as(result: Any, query: Any) -> Any:
    """Results in the dtype and the array type of the query."""
    if isinstance(result, tuple):
        return tuple(_as(one, query) for one in result)
    framework = framework_of(query)
    if framework.allocate is None:  # a tensor's dtype comes with the tensor
        result = result.astype(query.dtype if hasattr(query, "dtype") else result.dtype, copy=False)
    return from_numpy(result, framework, query)


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
        What the decoder said last, or its state. float64, float32, float16 or bfloat16, as all the others.
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
        In query's dtype and array type; half types are computed in float32.
    weights : (..., queries, steps) array
        If ``return_weights``.

    Raises
    ------
    TypeError
        For other dtypes and mixed dtypes.
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
    q, k, v, w_s, b_s, w_o, b_o = _widened(
        name, query=query, key=key, value=value, score_weight=score_weight, score_bias=score_bias,
        output_weight=output_weight, output_bias=output_bias,
    )  # fmt: skip
    _check_axes(name, q, k, v)
    _check_map(name, "score", w_s, b_s, "[query; key]", q, k)
    _check_map(name, "output", w_o, b_o, "[query; context]", q, v)
    steps = v.shape[-2]
    if steps > len(w_s):
        raise ValueError(f"{name}: value has {steps} steps and score_weight {len(w_s)}; expected no more.")
    scores = _beside(q, k) @ w_s[:steps].T
    if b_s is not None:
        scores += b_s[:steps]
    context, weights = _weigh(scores, v, mask)
    out = _beside(q, context) @ w_o.T
    if b_o is not None:
        out += b_o
    return _as((out, weights) if return_weights else out, query)


def _beside(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """[left; right], with leading axes that broadcast."""
    rows = np.broadcast_shapes(left.shape[:-1], right.shape[:-1])
    return np.concatenate([np.broadcast_to(x, (*rows, x.shape[-1])) for x in (left, right)], axis=-1)


def _weigh(scores: np.ndarray, value: np.ndarray, mask: Any) -> tuple[np.ndarray, np.ndarray]:
    """Attention by given scores: they are the bias of products that are all 0. Tell what is found and the weights."""
    nothing = np.zeros((*scores.shape[:-1], 1), scores.dtype)
    no_keys = np.zeros((*value.shape[:-1], 1), scores.dtype)
    if mask is not None:
        mask = _with_head(as_mask(mask, "concat_attention: mask"))
    # One head: the axis that a batch of sequences does not have.
    q, k, v, s = (x[..., None, :, :] for x in (nothing, no_keys, value, scores))
    found, weights = attention(q, k, v, mask, bias=s, return_weights=True)
    return found[..., 0, :, :], weights[..., 0, :, :]


def _with_head(mask: Mask) -> Mask:
    """Its boolean (..., queries, steps) arrays as attention has them, with an axis for heads."""
    keeps = ((keep if padding else _of_one_head(keep), padding) for keep, padding in mask.keeps)
    return replace(mask, keeps=tuple(keeps))


def _of_one_head(keep: Any) -> np.ndarray:
    keep = as_numpy(keep, "concat_attention: mask")
    return keep if keep.ndim < 3 else keep[..., None, :, :]


def _check_axes(name: str, query: np.ndarray, key: np.ndarray, value: np.ndarray) -> None:
    for argument, x in {"query": query, "key": key, "value": value}.items():
        if x.ndim < 2:
            raise ValueError(f"{name}: {argument} has shape {x.shape}; expected (..., sequence, width).")
    try:
        fits = query.shape[-2] == key.shape[-2]
        np.broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"{name}: query has shape {query.shape}, key {key.shape} and value {value.shape}; expected a key for each "
            "query, and leading axes that broadcast."
        )


def _check_map(
    name: str, which: str, weight: np.ndarray, bias: np.ndarray | None, what: str, *sides: np.ndarray
) -> None:
    width = sum(side.shape[-1] for side in sides)
    if weight.ndim != 2 or weight.shape[1] != width:
        shapes = " and ".join(str(side.shape) for side in sides)
        raise ValueError(
            f"{name}: {which}_weight has shape {weight.shape}; expected (rows, {width}) for {what} of shapes {shapes}."
        )
    if bias is not None and bias.shape != weight.shape[:1]:
        raise ValueError(
            f"{name}: {which}_bias has shape {bias.shape}; expected {weight.shape[:1]}, as {which}_weight has rows."
        )
