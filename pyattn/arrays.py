"""Arrays of other frameworks, in and out, without importing a framework the caller has not imported.

The core reads anything with the buffer protocol or DLPack. What it cannot know is how to answer in kind: here is,
per framework, how to allocate a result the core can write to and what to hand back.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

FLOATING = ("float64", "float32", "float16", "bfloat16")  # what attention takes


class Framework(NamedTuple):
    """How to talk to arrays of one framework."""

    readable: Callable[[Any, str], Any]  # an array as the core can read it
    allocate: (
        Callable[[tuple[int, ...], str], Any] | None
    )  # (shape, dtype) -> array to write to; None: NumPy's
    answer: Callable[[Any], Any]  # what the core wrote, as the caller's type


def framework_of(array: Any) -> Framework:
    """The framework that ``array`` belongs to; NumPy's ways for whatever is unknown."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(array, torch.Tensor):
        return _torch(torch, array)
    jax = sys.modules.get("jax")
    if jax is not None and isinstance(array, jax.Array):
        return Framework(readable, None, jax.numpy.asarray)
    return Framework(readable, None, lambda result: result)


def readable(array: Any, name: str) -> Any:
    """``array`` as the core can read it; refuses a tensor that waits for a gradient."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(array, torch.Tensor):
        return array
    if array.is_neg():  # DLPack hands over the memory, and forgets that it is to be negated
        array = array.resolve_neg()
    if not array.requires_grad:
        return array
    if torch.is_grad_enabled():
        raise ValueError(
            f"{name} requires a gradient, which this function does not compute; "
            "pass it as .detach() or call inside torch.no_grad()."
        )
    return array.detach()


def readable_bias(bias: Any, name: str) -> Any:
    """The same for an array or a tuple of them; a bias that is no array stays as it is."""
    return tuple(readable(one, name) for one in bias) if isinstance(bias, tuple) else readable(bias, name)


def writable(array: Any, name: str) -> Any:
    """``array`` if a result can be put there: of what stands in the way DLPack does not tell."""
    jax = sys.modules.get("jax")
    if jax is not None and isinstance(array, jax.Array):
        raise ValueError(
            f"{name} is a JAX array, which is read-only; leave it out and take the result instead."
        )
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(array, torch.Tensor) and array.is_neg():
        raise ValueError(f"{name} is a view that negates its memory; expected a tensor of its own.")
    return array


def _refuse_tracing(torch: Any) -> None:
    """What is computed here no tracer sees: it would record a result that nobody has written."""
    proxies = sys.modules.get("torch.fx.experimental.proxy_tensor")
    if torch.jit.is_tracing() or (proxies is not None and proxies.get_proxy_mode() is not None):
        raise TypeError(
            "the call is being traced (by torch.jit.trace, torch.onnx.export or make_fx), and no tracer sees what it "
            "computes; trace the model with torch's own attention, or make the call a custom operator of torch."
        )


def _torch(torch: Any, like: Any) -> Framework:
    _refuse_tracing(torch)

    def allocate(shape: tuple[int, ...], dtype: str) -> Any:
        return torch.empty(shape, dtype=getattr(torch, dtype), device="cpu")

    return Framework(readable, allocate, lambda result: result)


def in_kind(result: Any, framework: Framework, out: Any) -> Any:
    """Results as the caller's array type; `out` itself where it was given."""
    if isinstance(result, tuple):
        first = result[0] if out is not None else framework.answer(result[0])
        return (first, *map(framework.answer, result[1:]))
    return result if out is not None else framework.answer(result)


def dtype_name(array: Any) -> str:
    """Such as "float32", whatever framework the array is of."""
    dtype = array.dtype if hasattr(array, "dtype") else np.asarray(array).dtype
    return getattr(dtype, "name", str(dtype).removeprefix("torch."))


def as_numpy(array: Any, name: str) -> np.ndarray:
    """``array`` as NumPy's; of torch's bfloat16 becomes float32, as NumPy by itself has no such type."""
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(
            f"{name} is a masked array, whose mask would be ignored; pass .filled(number) or .data."
        )
    array = readable(array, name)
    return np.asarray(array.float() if dtype_name(array) == "bfloat16" and hasattr(array, "float") else array)


def from_numpy(result: np.ndarray, framework: Framework, like: Any) -> Any:
    """What NumPy computed, as an array of the framework; a tensor of ``like``'s dtype, if that is one."""
    if framework.allocate is None:
        return framework.answer(result)
    import torch  # the caller's: framework_of found it

    answer = torch.from_numpy(np.ascontiguousarray(result))
    return answer.to(like.dtype) if isinstance(like, torch.Tensor) else answer
