"""Turns what was observed of a child, and what the child says, into an `Outcome`.

The codes of messages that the sandbox uses, with their parameters in braces:

======================== ==================================================================================
import-failed            Importing the submission failed: {type}: {text}
module-missing           The submission imports {module}, which is not there.
raised                   The call raised {type}: {text}
function-missing         There is no function {function} in the submission (found: {found}).
function-not-callable    {function} is a {type} and cannot be called.
function-wrong-parameters {function}{signature} cannot be called as the statement says: {text}
function-not-extern-c    {function} is there under its C++ name only; put `extern "C"` before it.
function-not-in-library  The compiled library has no function {function}.
result-is-none           Result {result} is None: is a `return` missing?
result-is-list           Result {result} is a list; return a numpy.ndarray (`np.array(…)`).
result-is-tuple          Result {result} is a tuple; return a numpy.ndarray.
result-is-scalar         Result {result} is a {type}, a single number; return a numpy.ndarray.
result-is-matrix         Result {result} is a numpy.matrix; return a plain numpy.ndarray.
result-is-masked         Result {result} is a masked array; return a plain numpy.ndarray (`.filled(…)`).
result-is-subclass       Result {result} is a {type}, a subclass of numpy.ndarray; return a plain one.
result-wrong-type        Result {result} is a {type}; return a numpy.ndarray.
result-wrong-dtype       Result {result} has dtype {dtype}; float32 and float64 are accepted.
result-count             {expected} results were expected, {got} came ({type}).
result-too-large         The results have {bytes} bytes, more than the {limit} allowed.
result-is-input          Result {result} is the memory of the argument {argument}, which the call has changed.
wrote-outside-output     The function wrote outside the arrays it was given.
exit-called              The program ended itself with exit({text}) before it had an answer.
exited                   The program ended with exit status {code} before it had an answer.
killed                   The program was killed by the signal {signal}.
wall-time-out            No answer after {seconds} s.
cpu-time-out             More than {seconds} s of processor time were used.
out-of-memory            More memory was wanted than the {bytes} bytes allowed.
file-too-large           A file grew beyond the {bytes} bytes allowed.
run-over                 Not run: the {seconds} s for the whole submission are over.
compile-failed           {command} refused the submission with status {code}: {text}, a line of the log.
compile-timed-out        Compiling took longer than {seconds} s.
compile-out-of-memory    The compiler wanted more than the {limit} MiB allowed.
compile-file-too-large   The compiler wrote a file beyond the {limit} MiB allowed.
compile-ended            The compiler was ended ({why}).
library-too-large        The compiled library has {bytes} bytes, more than the {limit} allowed.
sandbox-lost             The whole sandbox ended in the middle of this call; the program had used up or ended something.
======================== ==================================================================================
"""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..models import Limits, Message, Outcome, Status
from .arena import Arena, Block
from .claims import claim
from .inside import protocol

_MAX_AXES = 64


@dataclass(frozen=True)
class Observed:
    """What the trusted side saw of one call."""

    ending: protocol.Ending
    wall_seconds: float
    cpu_seconds: float
    peak_bytes: int
    out_of_memory: bool  # the kernel ended something for it
    over_cpu: bool  # the grader ended it for it


def judge(arena: Arena, seen: Observed, limits: Limits) -> Outcome:
    """The outcome of one call: the observation first, the child's own words only when nothing speaks against them."""
    measured = {
        "printed": arena.printed(min(seen.ending.printed_bytes, limits.printed_bytes + 64)),
        "wall_seconds": seen.wall_seconds,
        "cpu_seconds": seen.cpu_seconds,
        "peak_bytes": seen.peak_bytes,
        "changed": arena.changed(),
    }
    ended = _ended(seen, limits)
    if (seen.ending.how, seen.ending.code) != (protocol.EXITED, 0) or seen.over_cpu:
        return Outcome(ended[0], message=ended[1], **measured)  # type: ignore[arg-type]
    try:
        return said(arena, measured, limits)
    except ValueError:
        return Outcome(ended[0], message=ended[1], **measured)  # type: ignore[arg-type]


def _ended(seen: Observed, limits: Limits) -> tuple[Status, Message]:
    """What the trusted side would say by itself."""
    how, code = seen.ending.how, seen.ending.code
    memory = Message("out-of-memory", {"bytes": limits.memory_bytes})
    if seen.over_cpu or (how, code) == (protocol.KILLED, signal.SIGXCPU):
        return Status.TIMEOUT, Message("cpu-time-out", {"seconds": limits.cpu_seconds})
    if how == protocol.TOO_MUCH_MEMORY or (seen.out_of_memory and how == protocol.KILLED):
        return Status.OUT_OF_MEMORY, memory
    if how == protocol.LOST and seen.out_of_memory:
        return Status.OUT_OF_MEMORY, memory
    if how == protocol.LOST and seen.wall_seconds < limits.wall_seconds:
        return Status.KILLED, Message("sandbox-lost")
    if how in (protocol.LOST, protocol.TIMED_OUT, protocol.STOPPED):
        return Status.TIMEOUT, Message("wall-time-out", {"seconds": limits.wall_seconds})
    if (how, code) == (protocol.KILLED, signal.SIGXFSZ):
        return Status.KILLED, Message("file-too-large", {"bytes": limits.file_bytes})
    if how == protocol.KILLED:
        return Status.KILLED, Message("killed", {"signal": _signal(code)})
    return Status.EXITED, Message("exited", {"code": code})


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def said(arena: Arena, measured: Mapping[str, object], limits: Limits) -> Outcome:
    """The outcome as the child reports it. ValueError when it left no proper report."""
    match arena.report():
        case ("ok", tuple(places)):
            return _results(arena, places, measured)
        case (str(code), tuple(words), str(traceback)):
            status, message = claim(code, words, limits)
            return Outcome(
                status,
                message=message,
                traceback=traceback[: protocol.TRACEBACK_CHARS + 100],
                **measured,  # type: ignore[arg-type]
            )
    raise ValueError("no report")


def _results(arena: Arena, places: tuple[protocol.Plain, ...], measured: Mapping[str, object]) -> Outcome:
    if arena.outputs:
        blocks: list[tuple[Block, tuple[int, ...]]] = [(block, ()) for block in arena.outputs]
        places = ()
    else:
        blocks = [_block(arena, place) for place in places]
    if len(places) != (0 if arena.outputs else arena.call.results):
        raise ValueError("other results than asked for")
    if arena.wrote_outside():
        return Outcome(Status.REFUSED, message=Message("wrote-outside-output"), **measured)  # type: ignore[arg-type]
    names = tuple(arena.inputs)
    for index, (_, shared) in enumerate(blocks):
        for argument in (names[number] for number in shared):
            if argument in measured["changed"]:  # type: ignore[operator]
                words = {"result": index, "argument": argument}
                return Outcome(Status.REFUSED, message=Message("result-is-input", words), **measured)  # type: ignore[arg-type]
    results = tuple(arena.taken(block) for block, _ in blocks)
    return Outcome(Status.OK, results, **measured)  # type: ignore[arg-type]


def _block(arena: Arena, place: protocol.Plain) -> tuple[Block, tuple[int, ...]]:
    """A result's place, after every number in it was checked."""
    match place:
        case (str(dtype), tuple(shape), int(at), tuple(shared)) if dtype in arena.result_dtypes:
            pass
        case _:
            raise ValueError("a result is dtype, shape, place and the inputs it shares memory with")
    sizes = tuple(_natural(size, arena.results_bytes) for size in shape)
    number = 1
    for size in sizes:
        number *= size
    length = number * np.dtype(dtype).itemsize
    end = arena.results_at + arena.results_bytes
    if len(sizes) > _MAX_AXES or at % 8 or at < arena.results_at or at + length > end:
        raise ValueError("a result lies outside its area")
    return Block(dtype, sizes, at), tuple(_natural(index, len(arena.inputs) - 1) for index in shared)


def _natural(value: protocol.Plain, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise ValueError(f"{value!r} is no number from 0 to {most}")
    return value
