"""Do the inputs and attributes of the ONNX operators fit together? Brings those that do into one layout."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyattn.arrays import FLOATING

Array = NDArray[Any]


def need_arrays(operator: str, **inputs: Any) -> None:
    """Refuse what is not NumPy's: lists and other frameworks' tensors have no `swapaxes` of the same meaning."""
    for name, x in inputs.items():
        if x is not None and not isinstance(x, np.ndarray):
            raise TypeError(
                f"onnx.{operator}: {name} is a {type(x).__name__}; expected a NumPy array (np.asarray makes one)."
            )


def heads_first(name: str, x: Array, attribute: str, heads: int | None) -> Array:
    """A view (batch, heads, sequence, width) of a 3-D or 4-D input."""
    if x.ndim == 4 and heads in (None, x.shape[1]):
        return x
    if x.ndim == 3 and heads is not None and heads > 0 and x.shape[2] % heads == 0:
        return x.reshape(*x.shape[:2], heads, x.shape[2] // heads).swapaxes(1, 2)
    raise ValueError(
        f"onnx: {name} {x.shape} with {attribute}={heads} is neither (batch, heads, sequence, width) nor "
        f"(batch, sequence, {attribute} · width). A 3-D input needs {attribute}, a divisor of its last axis."
    )


def check_shapes(query: Array, key: Array, value: Array) -> None:
    """Nothing broadcasts in this operator, and every key has a value."""
    if len(query) != len(key) or key.shape[:3] != value.shape[:3]:
        raise ValueError(
            f"onnx.attention: Q, K and V, with what is past, are {query.shape}, {key.shape} and {value.shape} as "
            "(batch, heads, length, width); expected one batch, and as many heads of one length in K and V."
        )


def with_past(
    key: Array, value: Array, past_key: Array | None, past_value: Array | None
) -> tuple[Array, Array, int]:
    """Keys and values with the past in front of them, and its length."""
    if past_key is None and past_value is None:
        return key, value, 0
    if past_key is None or past_value is None:
        raise ValueError("onnx.attention: past_key and past_value come together; got only one of them.")
    for name, x, past in (("past_key", key, past_key), ("past_value", value, past_value)):
        if past.ndim != 4 or past.shape[:2] + past.shape[3:] != x.shape[:2] + x.shape[3:]:
            raise ValueError(
                f"onnx.attention: {name} {past.shape} must be (batch, kv heads, past length, width) "
                f"like the incoming {x.shape}, length apart."
            )
    return (
        np.concatenate((past_key, key), axis=2),
        np.concatenate((past_value, value), axis=2),
        past_key.shape[2],
    )


def checked_lengths(nonpad_kv_seqlen: Array | None, key: Array, past_key: Array | None) -> Array | None:
    if nonpad_kv_seqlen is None:
        return None
    if past_key is not None:
        raise ValueError(
            "onnx.attention: nonpad_kv_seqlen is for a cache kept outside; it excludes past_key."
        )
    lengths = np.asarray(nonpad_kv_seqlen)
    batch, _, keys, _ = key.shape
    if (
        lengths.shape != (batch,)
        or lengths.dtype.kind not in "iu"
        or np.any((lengths < 0) | (lengths > keys))
    ):
        raise ValueError(
            f"onnx.attention: nonpad_kv_seqlen must be {batch} integers from 0 to {keys}, one per batch item "
            f"of K; got {lengths.dtype} {lengths.shape}: {lengths}."
        )
    return lengths.astype(np.int64)


def checked_mask(attn_mask: Array | None, key: Array) -> Array | None:
    if attn_mask is None:
        return None
    if attn_mask.dtype != bool and attn_mask.dtype.name not in FLOATING:
        raise TypeError(
            f"onnx.attention: attn_mask must be boolean (True attends) or float (added to the scores), "
            f"got {attn_mask.dtype}. For ones and zeros, pass attn_mask.astype(bool)."
        )
    if attn_mask.ndim == 0 or attn_mask.shape[-1] > key.shape[2]:
        raise ValueError(
            f"onnx.attention: attn_mask {attn_mask.shape} is longer than the {key.shape[2]} keys."
        )
    return attn_mask


def check_attributes(
    causal: int, left: int, right: int, mode: int, softcap: float, precision: int | None
) -> None:
    check_choice("attention", "is_causal", causal, (0, 1))
    check_choice("attention", "qk_matmul_output_mode", mode, (0, 1, 2, 3))
    check_choice("attention", "softmax_precision", precision, (None, 1, 10, 11, 16))
    for name, least, value in (
        ("left_window_size", -1, left),
        ("right_window_size", -1, right),
        ("softcap", 0, softcap),
    ):
        if not value >= least:
            raise ValueError(f"onnx.attention: {name} must be at least {least}, got {value}.")


def check_choice(operator: str, attribute: str, value: int | None, choices: tuple[int | None, ...]) -> None:
    if value not in choices:
        raise ValueError(f"onnx.{operator}: {attribute} must be one of {choices}, got {value}.")
