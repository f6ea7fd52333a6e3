"""The ONNX operators ``Attention`` (opset 25, which contains 23 and 24) and ``RotaryEmbedding`` (opset 23).

Inputs, attributes and outputs have the operators' names, order, shapes and meaning; `pyattn.attention` and
`pyattn.positions.rope` do the computing. onnx itself is not needed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyattn.interop._onnx_attention import Band, Problem, common_dtype
from pyattn.interop._onnx_inputs import (
    check_attributes,
    check_choice,
    check_shapes,
    checked_lengths,
    checked_mask,
    heads_first,
    need_arrays,
    with_past,
)
from pyattn.positions import rope

__all__ = ["AttentionOutputs", "attention", "rotary_embedding"]

Array = NDArray[Any]


class AttentionOutputs(NamedTuple):
    """The operator's outputs; ``qk_matmul_output`` is None unless asked for."""

    Y: Array
    present_key: Array
    present_value: Array
    qk_matmul_output: Array | None


def attention(
    Q: Array,
    K: Array,
    V: Array,
    attn_mask: Array | None = None,
    past_key: Array | None = None,
    past_value: Array | None = None,
    nonpad_kv_seqlen: Array | None = None,
    *,
    is_causal: int = 0,
    kv_num_heads: int | None = None,
    left_window_size: int = -1,
    q_num_heads: int | None = None,
    qk_matmul_output_mode: int = 0,
    right_window_size: int = -1,
    scale: float | None = None,
    softcap: float = 0.0,
    softmax_precision: int | None = None,
    return_qk_matmul_output: bool = False,
) -> AttentionOutputs:
    """ONNX ``Attention``: ``softmax(softcap(scale · Q Kᵀ) + attn_mask) V`` with an optional cache.

    Query i stands at key position ``i + offset``, from which `is_causal` and the windows count. The offset is
    the length of `past_key`; with `nonpad_kv_seqlen` it is ``nonpad_kv_seqlen - q_sequence_length`` per batch
    item; otherwise 0.

    Parameters
    ----------
    Q : (batch, q_num_heads, q_sequence_length, head_size) array
        Or (batch, q_sequence_length, q_num_heads · head_size); likewise K and V.
    K : (batch, kv_num_heads, kv_sequence_length, head_size) array
    V : (batch, kv_num_heads, kv_sequence_length, v_head_size) array
    attn_mask : boolean (True attends) or float (added to the scores) array, optional
        Broadcasts to (batch, q_num_heads, q_sequence_length, total_sequence_length), except that keys beyond
        its last axis are masked.
    past_key : (batch, kv_num_heads, past_sequence_length, head_size) array, optional
    past_value : (batch, kv_num_heads, past_sequence_length, v_head_size) array, optional
    nonpad_kv_seqlen : (batch,) integer array, optional
        K and V are a whole cache of which only so many leading keys are filled.
    is_causal : 0 or 1
    kv_num_heads, q_num_heads : int
        Needed with 3-D inputs.
    left_window_size, right_window_size : int
        How many keys to each side of its own position a query sees; -1 is no bound.
    scale : float, default ``1 / sqrt(head_size)``
    softcap : float
        0 is none.
    softmax_precision : 1, 10, 11 or 16, optional
        A TensorProto.DataType. 11 computes everything in float64; the others ask for no more than is done
        anyway (never less than float32) and change nothing.
    qk_matmul_output_mode : 0, 1, 2 or 3
        What ``qk_matmul_output`` is: scaled scores; those after softcap; those with bias and masks; weights.
    return_qk_matmul_output : bool
        Whether that output is wanted. Nothing else here stores a number for each pair of query and key.

    Returns
    -------
    AttentionOutputs
        Y in Q's rank and dtype; present_key and present_value are 4-D. A query that sees no key gets zeros.

    Raises
    ------
    TypeError
        An input is no NumPy array, or attn_mask is neither boolean nor float.
    ValueError
        Inputs or attributes do not fit together.

    Notes
    -----
    Source: https://onnx.ai/onnx/operators/onnx__Attention.html. Mode 0 is taken before softcap, as the
    operator's text and function body have it; the reference evaluator of onnx 1.23 takes it after.

    Examples
    --------
    >>> import numpy as np
    >>> from pyattn.interop import onnx
    >>> x = np.ones((1, 5, 12), np.float32)
    >>> onnx.attention(x, x, x, q_num_heads=3, kv_num_heads=3, is_causal=1).Y.shape
    (1, 5, 12)
    """
    need_arrays("attention", Q=Q, K=K, V=V, attn_mask=attn_mask, past_key=past_key, past_value=past_value)
    check_attributes(
        is_causal, left_window_size, right_window_size, qk_matmul_output_mode, softcap, softmax_precision
    )
    query = heads_first("Q", Q, "q_num_heads", q_num_heads)
    key, value = (heads_first(name, x, "kv_num_heads", kv_num_heads) for name, x in (("K", K), ("V", V)))
    lengths = checked_lengths(nonpad_kv_seqlen, key, past_key)
    check_shapes(query, key, value)
    key, value, past = with_past(key, value, past_key, past_value)
    check_shapes(
        query, key, value
    )  # again: what is past must fit by itself, too, or values belong to other keys
    band = Band(
        offset=past if lengths is None else lengths - query.shape[2],
        left=left_window_size if left_window_size >= 0 else None,
        right=0 if is_causal else right_window_size if right_window_size >= 0 else None,
        lengths=lengths,
    )
    problem = Problem(query, key, value, checked_mask(attn_mask, key), band, scale, softcap)
    wanted = [np.dtype(np.float64)] if softmax_precision == 11 else []
    dtype = common_dtype(query.dtype, key.dtype, value.dtype, *wanted)
    out = _empty_output(Q, query, value, dtype)
    qk = problem.attend(out, return_weights=return_qk_matmul_output and qk_matmul_output_mode == 3)
    if return_qk_matmul_output and qk is None:
        qk = problem.scores(common_dtype(dtype, np.dtype(np.float32)), qk_matmul_output_mode)
    return AttentionOutputs(_like(Q, out), key, value, None if qk is None else _cast(qk, Q.dtype))


def rotary_embedding(
    X: Array,
    cos_cache: Array,
    sin_cache: Array,
    position_ids: Array | None = None,
    *,
    interleaved: int = 0,
    num_heads: int = 0,
    rotary_embedding_dim: int = 0,
) -> Array:
    """ONNX ``RotaryEmbedding``: `pyattn.positions.rope` with given cosines and sines.

    Parameters
    ----------
    X : (batch, num_heads, sequence_length, head_size) array
        Or (batch, sequence_length, num_heads · head_size).
    cos_cache, sin_cache : (length, rotary_embedding_dim / 2) arrays
        Without `position_ids`: (batch, sequence_length, rotary_embedding_dim / 2).
    position_ids : (batch, sequence_length) integer array, optional
    interleaved : 0 or 1
    num_heads : int
        Needed with a 3-D X.
    rotary_embedding_dim : int
        How many leading features turn; 0 is all.

    Returns
    -------
    array of X's shape and dtype

    Raises
    ------
    TypeError, ValueError
        As `pyattn.positions.rope`, or when `num_heads` does not fit X.

    Notes
    -----
    Source: https://onnx.ai/onnx/operators/onnx__RotaryEmbedding.html

    Examples
    --------
    >>> import numpy as np
    >>> from pyattn.interop import onnx
    >>> cos, sin = np.zeros((1, 1)), np.ones((1, 1))
    >>> onnx.rotary_embedding(np.array([[[[3.0, 4.0]]]]), cos, sin, np.array([[0]]))
    array([[[[-4.,  3.]]]])
    """
    need_arrays("rotary_embedding", X=X)
    check_choice("rotary_embedding", "interleaved", interleaved, (0, 1))
    rotated = rope(
        heads_first("X", X, "num_heads", num_heads or None),
        position_ids,
        interleaved=bool(interleaved),
        rotary_width=rotary_embedding_dim or None,
        cos=cos_cache,
        sin=sin_cache,
    )
    return _like(X, rotated)


def _empty_output(Q: Array, query: Array, value: Array, dtype: np.dtype[Any]) -> Array:
    """Room for (batch, heads, queries, value width), laid out in memory as Y is."""
    batch, heads, queries, _ = query.shape
    if Q.ndim == 4:
        return np.empty((batch, heads, queries, value.shape[3]), dtype)
    return np.empty((batch, queries, heads, value.shape[3]), dtype).swapaxes(1, 2)


def _like(x: Array, out: Array) -> Array:
    """`out`, heads first, in the rank and dtype of the operator's input x."""
    if x.ndim == 3:
        out = out.swapaxes(1, 2).reshape(*x.shape[:2], out.shape[1] * out.shape[3])
    return _cast(out, x.dtype)


def _cast(x: Array, dtype: np.dtype[Any]) -> Array:
    with np.errstate(over="ignore"):  # a score beyond a half type is inf there, and no news
        return x.astype(dtype, copy=False)
