"""Calls a C function of a compiled submission through ctypes.

Arguments in order: an array is a pointer to its first element, an int is int64_t, a float is double, a bool is
int, None is a null pointer; the text "output:k" is the pointer to the k-th output, which the callee fills.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable
from pathlib import Path

from . import protocol
from .answers import Refused

LIBRARY = "submission.so"
_NO_MEMORY = ("cannot map zero-fill pages", "annot allocate memory")


def find(spec, submission: Path) -> Callable:  # type: ignore[no-untyped-def,type-arg]
    """The C function, from the library that was built from the submission."""
    name = spec[1]
    path = submission / LIBRARY
    library = _loaded(path)
    try:
        function = library[name]
    except AttributeError:
        mangled = f"_Z{len(name)}{name}".encode() in path.read_bytes()
        code = "function-not-extern-c" if mangled else "function-not-in-library"
        raise Refused(code, function=name) from None
    function.restype = None
    return function


def _loaded(path: Path) -> ctypes.CDLL:
    """The library; one with larger arrays than there may be is told to want memory, and not by the loader's words."""
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        if any(words in str(error) for words in _NO_MEMORY):
            raise MemoryError from None
        raise


def prepare(function: Callable, spec, arena: mmap.mmap) -> Callable[[], protocol.Plain]:  # type: ignore[no-untyped-def,type-arg]
    """A call without arguments; the outputs already lie in the arena."""
    arguments, outputs = spec[4], spec[5]
    base = ctypes.addressof(ctypes.c_char.from_buffer(arena))
    values = [_c_value(kind, value, outputs, base) for _, kind, value in arguments]
    places = tuple((dtype, shape, at, ()) for dtype, shape, at in outputs)

    def call() -> protocol.Plain:
        function(*values)
        return places

    return call


def _c_value(kind: str, value, outputs, base: int):  # type: ignore[no-untyped-def]
    if kind == "array":
        return ctypes.c_void_p(base + value[2])
    if kind == "output":
        return ctypes.c_void_p(base + outputs[value][2])
    if value is None:
        return ctypes.c_void_p(None)
    if isinstance(value, bool):
        return ctypes.c_int(value)
    if isinstance(value, int):
        return ctypes.c_int64(value)
    return ctypes.c_double(value)
