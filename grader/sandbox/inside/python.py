"""Calls a function of a Python or Cython submission."""

from __future__ import annotations

import importlib
import inspect
import mmap
from collections.abc import Callable
from pathlib import Path

import numpy as np

from . import protocol
from .answers import Refused, store


def find(spec, submission: Path) -> Callable:  # type: ignore[no-untyped-def,type-arg]
    """The entry point, imported anew in every child."""
    name = spec[1]
    module = importlib.import_module("submission")
    function = vars(module).get(name)
    if function is None:
        raise Refused("function-missing", function=name, found=_functions(module))
    if not callable(function):
        raise Refused("function-not-callable", function=name, type=type(function).__name__[:100])
    return function


def _functions(module: object) -> str:
    names = [name for name, value in vars(module).items() if callable(value) and not name.startswith("_")]
    return ", ".join(sorted(map(str, names))[:20])[: protocol.WORD_CHARS] or "–"


def prepare(function: Callable, spec, arena: mmap.mmap) -> Callable[[], protocol.Plain]:  # type: ignore[no-untyped-def,type-arg]
    """A call without arguments that leaves the results in the arena."""
    _, name, count, positional, arguments, _, results_at, results_bytes = spec
    values = [_value(argument, arena) for argument in arguments]
    args = values[:positional]
    kwargs = {argument[0]: value for argument, value in zip(arguments, values, strict=True)}
    for argument in arguments[:positional]:
        del kwargs[argument[0]]
    _must_fit(function, name, args, kwargs)
    inputs = [value for value in values if isinstance(value, np.ndarray)]
    return lambda: store(function(*args, **kwargs), count, arena, results_at, results_bytes, inputs)


def _value(argument, arena: mmap.mmap):  # type: ignore[no-untyped-def]
    _, kind, value = argument
    return view(value, arena) if kind == "array" else value


def view(place, arena: mmap.mmap) -> np.ndarray:  # type: ignore[no-untyped-def]
    """The array at a place (dtype, shape, offset) of the arena."""
    dtype, shape, at = place
    size = int(np.prod(shape, dtype=np.int64))
    array: np.ndarray = np.frombuffer(arena, dtype, size, at).reshape(shape)
    return array


def _must_fit(function: Callable, name: str, args: list, kwargs: dict) -> None:  # type: ignore[type-arg]
    """Parameters of other names are told before the call, with the signature that was found."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # compiled without one
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        raise Refused(
            "function-wrong-parameters",
            function=name,
            signature=str(signature)[:500],
            text=str(error)[:500],
        ) from None
