"""Attention as a function of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyattn import _core, runtime
from pyattn.arrays import framework_of, in_kind, readable, readable_bias, writable
from pyattn.masks import Mask, as_mask, causal

ndarray = np.ndarray


def attention(
    query: Any,
    key: Any,
    value: Any,
    mask: Any = None,
    *,
    bias: Any = None,
    scale: float | None = None,
    softcap: float | None = None,
    sinks: Any = None,
    return_lse: bool = False,
    return_weights: bool = False,
    out: Any = None,
    num_threads: int | None = None,
) -> Any:
    """Weigh values by how well their keys match each query.

    Computes ``softmax(softcap · tanh(scale · query @ key.T / softcap) + bias, masked) @ value`` block by block
    (Milakov & Gimelshein, 2018; Dao et al., 2022), without storing the scores.

    Parameters
    ----------
    query : (..., heads, queries, width) array
        float64, float32, float16 or bfloat16; 2-D is one head. Any strides, so that ``(batch, sequence, heads,
        width)`` is passed as ``x.swapaxes(1, 2)`` without a copy.
    key : (..., kv_heads, keys, width) array
        ``heads`` must be a multiple of ``kv_heads``; query head h uses kv head ``h // (heads // kv_heads)``.
        Leading axes broadcast.
    value : (..., kv_heads, keys, value_width) array
    mask : Mask or boolean array, optional
        True where a query may look; an array broadcasts to (batch, heads, queries, keys). What is masked has no
        influence, even when it holds NaN.
    bias : floating array, ``alibi(...)`` or a tuple of them, optional
        Added to the scores; −inf in it masks.
    scale : float, default ``1 / sqrt(width)``
    softcap : float, optional
        Caps scores to ±softcap by a tanh.
    sinks : (heads,) array, optional
        One logit per query head that counts in the denominator only.
    return_lse : bool
        Also return the logarithm of the denominator.
    return_weights : bool
        Also return the weights, a (..., heads, queries, keys) array.
    out : array, optional
        Where to put the result; any strides, may not overlap an input.
    num_threads : int, optional
        Default: :func:`pyattn.get_num_threads`.

    Returns
    -------
    out : (..., heads, queries, value_width) array
        In query's dtype and array type. A query that sees no key gets zeros.
    lse : (..., heads, queries) array
        If ``return_lse``: natural logarithm, float32 (float64 for float64); −inf where no key is seen.
    weights : (..., heads, queries, keys) array
        If ``return_weights``: in query's dtype.

    Raises
    ------
    TypeError
        For other dtypes, mixed dtypes, arrays on another device, a float mask.
    ValueError
        For shapes that do not fit.

    Examples
    --------
    >>> import numpy as np, pyattn
    >>> rng = np.random.default_rng(0)
    >>> q, k, v = rng.standard_normal((3, 2, 4, 10, 16), dtype=np.float32)  # batch 2, 4 heads, 10 tokens, width 16
    >>> pyattn.attention(q, k, v, pyattn.causal()).shape
    (2, 4, 10, 16)
    """
    if mask is not None and type(mask) is not Mask:
        mask = as_mask(mask)
    if out is not None:
        out = writable(out, "attention: out")
    if bias is not None:
        bias = readable_bias(bias, "attention: bias")
    if sinks is not None:
        sinks = readable(sinks, "attention: sinks")
    threads = runtime._num_threads if num_threads is None else runtime.threads_for(num_threads)
    if type(query) is type(key) is type(value) is ndarray:
        return _core.attention(
            query,
            key,
            value,
            mask,
            bias,
            scale,
            softcap,
            sinks,
            return_lse,
            return_weights,
            out,
            threads,
            None,
        )
    q, k, v = (readable(x, f"attention: {n}") for x, n in ((query, "query"), (key, "key"), (value, "value")))
    framework = framework_of(query)
    result = _core.attention(
        q,
        k,
        v,
        mask,
        bias,
        scale,
        softcap,
        sinks,
        return_lse,
        return_weights,
        out,
        threads,
        framework.allocate,
    )
    return in_kind(result, framework, out)


def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Any:
    """Compute :func:`attention` with the signature, and the meaning, of ``torch.nn.functional``'s function.

    Parameters
    ----------
    query, key, value : (..., heads, sequence, width) arrays
    attn_mask : boolean or floating array, optional
        True takes part; a floating array is added to the scores.
    dropout_p : float
        Must be 0: this is inference.
    is_causal : bool
        The top-left causal mask: query i sees keys up to i.
    scale : float, default ``1 / sqrt(width)``
    enable_gqa : bool
        Allow fewer key heads than query heads.

    Raises
    ------
    ValueError
        For dropout, for ``is_causal`` together with ``attn_mask``, for unequal heads without ``enable_gqa``.

    Examples
    --------
    >>> import numpy as np, pyattn
    >>> x = np.ones((1, 2, 3, 8), dtype=np.float32)
    >>> pyattn.scaled_dot_product_attention(x, x, x, is_causal=True).shape
    (1, 2, 3, 8)
    """
    name = "scaled_dot_product_attention"
    if dropout_p != 0.0:
        raise ValueError(f"{name}: dropout_p is {dropout_p}; only 0.0 is supported, this is inference.")
    if is_causal and attn_mask is not None:
        raise ValueError(
            f"{name}: is_causal and attn_mask exclude each other; put the causal part into attn_mask."
        )
    shapes: list[Any] = [
        getattr(x, "shape", ()) for x in (query, key, value)
    ]  # attention says what is no array
    heads = [shape[-3] for shape in shapes if len(shape) > 2]
    if not enable_gqa and len(set(heads)) > 1:
        groups = heads[1] == heads[-1] and heads[1] and heads[0] % heads[1] == 0
        hint = (
            "pass enable_gqa=True to group query heads"
            if groups
            else "expand those that have fewer (.expand, np.broadcast_to): nothing is copied"
        )
        raise ValueError(f"{name}: query, key and value have {heads} heads; {hint}.")
    if is_causal:
        return attention(query, key, value, causal("top-left"), scale=scale)
    if attn_mask is not None and "float" in str(getattr(attn_mask, "dtype", "")):
        return attention(query, key, value, bias=attn_mask, scale=scale)
    return attention(query, key, value, attn_mask, scale=scale)


def attention_varlen(
    query: Any,
    key: Any,
    value: Any,
    query_offsets: Any,
    key_offsets: Any,
    mask: Any = None,
    *,
    bias: Any = None,
    scale: float | None = None,
    softcap: float | None = None,
    sinks: Any = None,
    return_lse: bool = False,
    out: Any = None,
    num_threads: int | None = None,
) -> Any:
    """Compute :func:`attention` within each of several sequences of unequal length, packed one after the other.

    Parameters
    ----------
    query : (total queries, heads, width) array
    key : (total keys, kv_heads, width) array
    value : (total keys, kv_heads, value_width) array
    query_offsets, key_offsets : (sequences + 1,) integer arrays
        Cumulative: sequence s owns query rows ``query_offsets[s]`` to ``query_offsets[s + 1]``.
    mask : Mask, optional
        Counted within each sequence. Boolean arrays have no common shape here and are refused.
    bias : ``alibi(...)``, optional
    scale, softcap, sinks, num_threads
        As in :func:`attention`.

    Returns
    -------
    out : (total queries, heads, value_width) array
        Rows outside the offsets are zeros.
    lse : (heads, total queries) array
        If ``return_lse``.

    Examples
    --------
    >>> import numpy as np, pyattn
    >>> x = np.ones((7, 2, 8), dtype=np.float32)  # two sentences, of 3 and 4 tokens
    >>> pyattn.attention_varlen(x, x, x, [0, 3, 7], [0, 3, 7]).shape
    (7, 2, 8)
    """
    if mask is not None and type(mask) is not Mask:
        mask = as_mask(mask, "attention_varlen: mask")
    out = writable(out, "attention_varlen: out")
    sinks = readable(sinks, "attention_varlen: sinks")
    names = ("query", "key", "value")
    q, k, v = (readable(x, f"attention_varlen: {n}") for x, n in zip((query, key, value), names, strict=True))
    framework = framework_of(query)
    result = _core.attention_varlen(
        q, k, v, query_offsets, key_offsets, mask, bias, scale, softcap, sinks, return_lse, out,
        runtime.threads_for(num_threads), framework.allocate,
    )  # fmt: skip
    return in_kind(result, framework, out)
