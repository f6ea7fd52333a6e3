"""How a test becomes a call in each track, and in words."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from grader.models import Call, Function, Message, Track, Value

# What is advised differently to those who write in another language.
_IN_LANGUAGE = {
    ("input-changed", "cpp"): "input-changed-cpp",
    ("input-changed", "cython"): "input-changed-cython",
    ("wall-time-out", "cpp"): "wall-time-out-cpp",
}
_SIZE = re.compile(r"(\w+)\[(-?\d+)\]")


def call_for(
    function: Function, track: Track, arguments: Mapping[str, Value], expected: tuple[np.ndarray, ...]
) -> Call:
    """The call that runs a test's function on these arguments.

    Parameters
    ----------
    expected : tuple of arrays
        The exact results; of these only the shapes are told, and only to C, where the caller owns the memory.
    """
    if track.name != "cpp":
        return Call(function.name, arguments, function.positional, len(function.results))
    dtype = next(str(value.dtype) for value in arguments.values() if isinstance(value, np.ndarray))
    outputs = tuple((result.shape, dtype) for result in expected)
    given = {name: _c_argument(name, function, arguments) for name in track.arguments}
    return Call(function.name, given, len(given), len(outputs), outputs)


def _c_argument(name: str, function: Function, arguments: Mapping[str, Value]) -> Value:
    """A pointer to an array or an output, or the size of an axis."""
    if name in function.results:
        return f"output:{function.results.index(name)}"
    if size := _SIZE.fullmatch(name):
        return int(np.asarray(arguments[size[1]]).shape[int(size[2])])
    return arguments[name]


def in_words(function: Function, arguments: Mapping[str, Value]) -> str:
    """What was called with which shapes, as one would write it."""
    if not arguments:
        return f"{function.name}(…)"
    parts = []
    for name, value in arguments.items():
        shown = f"{value.dtype} {value.shape}" if isinstance(value, np.ndarray) else repr(value)
        parts.append(f"{name}={shown}")
    return f"{function.name}({', '.join(parts)})"


def with_names(message: Message, function: Function) -> Message:
    """The sandbox counts results; people call them by name."""
    number = message.params.get("result")
    if isinstance(number, int) and 0 <= number < len(function.results):
        return Message(message.code, {**message.params, "result": function.results[number]})
    return message


def in_language(message: Message, track: str) -> Message:
    """The message with the advice for those who write in this track's language."""
    return Message(_IN_LANGUAGE.get((message.code, track), message.code), message.params)
