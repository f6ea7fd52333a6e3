"""Looks at what a student's function returned: real arrays of the right kind, as many as asked, or a reason."""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import protocol

_Array, _Matrix, _Masked = np.ndarray, np.matrix, np.ma.MaskedArray
_FLOATS = {np.dtype("float32"): "float32", np.dtype("float64"): "float64"}
_ALIGN = 64


class Refused(Exception):
    """What came is not an answer; the report says why."""

    def __init__(self, code: str, /, **words: protocol.Plain) -> None:
        super().__init__(code)
        self.report: protocol.Plain = (code, tuple(words.items()), "")


def store(
    value: object, count: int, arena: mmap.mmap, at: int, room: int, inputs: Sequence[np.ndarray]
) -> protocol.Plain:
    """Copy the results into the arena. Gives dtype, shape, place and the inputs shared, for each."""
    arrays = [_checked(item, index) for index, item in enumerate(_split(value, count))]
    needed = sum(array.nbytes for array in arrays)
    if needed + _ALIGN * count > room:
        raise Refused("result-too-large", bytes=needed, limit=room - _ALIGN * count)
    stored = []
    for array in arrays:
        target = np.frombuffer(arena, array.dtype, array.size, at).reshape(array.shape)
        np.copyto(target, array)
        shared = tuple(index for index, given in enumerate(inputs) if np.may_share_memory(array, given))
        stored.append((_FLOATS[array.dtype], array.shape, at, shared))
        at += -(-array.nbytes // _ALIGN) * _ALIGN
    return tuple(stored)


def _split(value: object, count: int) -> Sequence[object]:
    if count == 1:
        return (value,)
    # A namedtuple is one, too. `type`, as an object may say anything of its __class__.
    base: Any = list if type(value) is list else tuple if issubclass(type(value), tuple) else None
    if base is None:
        raise Refused("result-count", expected=count, got=1, type=_kind(value))
    parts: tuple[object, ...] = tuple(base.__iter__(value))  # not what a subclass makes of it
    if len(parts) != count:
        raise Refused("result-count", expected=count, got=len(parts), type=_kind(value))
    return parts


def _checked(value: object, index: int) -> np.ndarray:
    if type(value) is not _Array:
        raise Refused(_why_not(value), result=index, type=_kind(value))
    if value.dtype not in _FLOATS:
        raise Refused("result-wrong-dtype", result=index, dtype=str(value.dtype)[:100])
    return value


def _why_not(value: object) -> str:
    kind = type(value)
    if value is None:
        return "result-is-none"
    for wrong, code in (
        (list, "result-is-list"),
        (tuple, "result-is-tuple"),
        (_Matrix, "result-is-matrix"),
        (_Masked, "result-is-masked"),
        (_Array, "result-is-subclass"),
        ((int, float, complex, np.generic), "result-is-scalar"),
    ):
        if issubclass(kind, wrong):
            return code
    return "result-wrong-type"


def _kind(value: object) -> str:
    kind = type(value)
    return str(type.__dict__["__name__"].__get__(kind))[:100]
