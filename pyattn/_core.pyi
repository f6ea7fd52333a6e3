"""The compiled core, for the package's own modules: positional arguments, checked there. Use pyattn, not this."""

from collections.abc import Callable
from typing import Any

__version__: str
_C_API: Any  # the capsule that pyattn.cython_api opens

# (shape, dtype) -> an array to write to; None: NumPy's
_Allocate = Callable[[tuple[int, ...], str], Any] | None

def attention(
    query: Any,
    key: Any,
    value: Any,
    mask: Any,
    bias: Any,
    scale: float | None,
    softcap: float | None,
    sinks: Any,
    return_lse: bool,
    return_weights: bool,
    out: Any,
    threads: int,
    allocate: _Allocate,
    /,
) -> Any: ...
def attention_varlen(
    query: Any,
    key: Any,
    value: Any,
    query_offsets: Any,
    key_offsets: Any,
    mask: Any,
    bias: Any,
    scale: float | None,
    softcap: float | None,
    sinks: Any,
    return_lse: bool,
    out: Any,
    threads: int,
    allocate: _Allocate,
    /,
) -> Any: ...
def reference_attention(
    query: Any,
    key: Any,
    value: Any,
    mask: Any,
    bias: Any,
    scale: float | None,
    softcap: float | None,
    sinks: Any,
    return_lse: bool,
    return_weights: bool,
    /,
) -> Any: ...
def softmax(x: Any, axis: int, out: Any, threads: int, allocate: _Allocate, /) -> Any: ...
def log_softmax(x: Any, axis: int, out: Any, threads: int, allocate: _Allocate, /) -> Any: ...
def logsumexp(x: Any, axis: int, threads: int, allocate: _Allocate, /) -> Any: ...
def additive_attention(
    query: Any,
    key: Any,
    value: Any,
    score_weight: Any,
    mask: Any,
    bias: Any,
    return_weights: bool,
    threads: int,
    /,
) -> Any: ...
def reference_additive_attention(
    query: Any,
    key: Any,
    value: Any,
    score_weight: Any,
    mask: Any,
    bias: Any,
    return_weights: bool,
    threads: int,
    /,
) -> Any: ...
def linear(x: Any, weight: Any, bias: Any, activation: str, out: Any, threads: int) -> Any: ...
def residual_layer_norm(
    x: Any, residual: Any, gamma: Any, beta: Any, eps: float, out: Any, threads: int
) -> Any: ...
def isa() -> str: ...
def available_isas() -> list[str]: ...
def select_isa(name: str, /) -> None: ...
def lanes() -> int: ...
def set_default_threads(threads: int, /) -> None: ...
