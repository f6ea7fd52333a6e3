"""The process that runs student's code, one per call. It holds nothing that could reach the next one.

What it says about itself is a record in the arena that the grader reads with caps once everything is dead; it
ends with `os._exit`, so that neither `atexit` nor threads keep anybody waiting.
"""

from __future__ import annotations

import ctypes
import io
import math
import mmap
import os
import resource
import signal
import sys
from pathlib import Path
from typing import NoReturn

from . import compiled, failures, protocol, python
from .answers import Refused

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE = 1, 4
_STACK_BYTES = 64 << 20
_FILES = 256
_exit, _written = os._exit, protocol.written  # student's code may put others into their modules


def live(
    order: protocol.Order, arena: mmap.mmap, printed: int, descriptors: list[int], submission: Path
) -> NoReturn:
    """Be the child: give up what it must not have, call, report, end."""
    code = 70
    try:
        go, done = _keep(printed, descriptors)
        _limit(order)
        _surroundings(submission)
        if order.kind != protocol.BUILD:
            _forget_ourselves()
        spec = protocol.read(arena[protocol.REPORT_BYTES : protocol.REPORT_BYTES + protocol.SPEC_BYTES])
        report(arena, _answer(order.kind, spec, arena, submission, go, done))
        code = 0
    except BaseException:  # there is nobody to raise it to
        sys.excepthook(*sys.exc_info())
    finally:
        _exit(code)


def _answer(
    kind: int, spec: object, arena: mmap.mmap, submission: Path, go: int, done: int
) -> protocol.Plain:
    """What to report: the results' places or why there are none."""
    stage = "import"
    try:
        if kind == protocol.BUILD:
            from .building import build  # what it imports would cost every run ten milliseconds

            return ("ok", build(spec, arena, submission))
        track = python if spec[0] != "cpp" else compiled  # type: ignore[index]
        function = track.find(spec, submission)
        stage = "call"
        call = track.prepare(function, spec, arena)
        if kind == protocol.TIMED:
            return _timed(call, arena, go, done)
        answer: protocol.Plain = ("ok", call())
    except Refused as refused:
        answer = refused.report
    except BaseException as error:
        answer = failures.describe(error, stage)
    finally:
        _flush()
    return answer


def _timed(call, arena: mmap.mmap, go: int, done: int) -> protocol.Plain:  # type: ignore[no-untyped-def]
    """Answer every "go" with a result in the arena and one byte, until there are no more."""
    os.write(done, b"r")
    while os.read(go, 1):
        report(arena, ("ok", call()))
        os.write(done, b"d")
    return ("ok", ())


def report(arena: mmap.mmap, answer: protocol.Plain) -> None:
    """Put the answer where the grader looks for it."""
    record = _written(answer, protocol.REPORT_BYTES)
    arena[: len(record)] = record


def _keep(printed: int, descriptors: list[int]) -> tuple[int, int]:
    """Only these stay open: nothing to read, the pipe of what is printed, and the two of a timed call."""
    go, done = [os.dup(descriptor) for descriptor in descriptors] or (-1, -1)
    nothing = os.open("/dev/null", os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(printed, 1)
    os.dup2(printed, 2)
    if go >= 0:
        os.dup2(go, 1000), os.dup2(done, 1001)
        os.closerange(3, 1000)
        os.dup2(1000, 3), os.dup2(1001, 4)
        os.closerange(5, 4096)
        return 3, 4
    os.closerange(3, 4096)
    return -1, -1


def _limit(order: protocol.Order) -> None:
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    os.setsid()
    libc.prctl(
        _PR_SET_DUMPABLE, 1, 0, 0, 0
    )  # the file is ours to write only then; nobody is here yet to see it
    Path("/proc/self/oom_score_adj").write_text("1000")  # when memory ends, this one goes and not the runner
    libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    seconds = math.ceil(order.cpu_seconds) + 1
    _lower(resource.RLIMIT_CPU, seconds)
    _lower(resource.RLIMIT_FSIZE, order.file_bytes)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_NOFILE, _FILES)
    _lower(resource.RLIMIT_STACK, _STACK_BYTES)
    if order.processes:
        _lower(resource.RLIMIT_NPROC, order.processes)
    if order.memory_bytes:
        _lower(resource.RLIMIT_DATA, _data_bytes() + order.memory_bytes)


def _lower(what: int, value: int) -> None:
    _, hard = resource.getrlimit(what)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(what, (value, value))


def _data_bytes() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmData"):
            return int(line.split()[1]) * 1024
    return 0


def _surroundings(submission: Path) -> None:
    """What a program sees around it: its folder first on the path, text that never fails to print."""
    sys.path.insert(0, str(submission))
    sys.stdin = open(0, encoding="utf-8")  # noqa: SIM115
    sys.stdout = _text(1)
    sys.stderr = _text(2)


def _forget_ourselves() -> None:
    """A submission may have modules of our names."""
    ours = __name__.rpartition(".")[0]
    for name in [name for name in sys.modules if name == ours or name.startswith(ours + ".")]:
        del sys.modules[name]


def _text(descriptor: int) -> io.TextIOWrapper:
    raw = open(descriptor, "wb", buffering=0, closefd=False)  # noqa: SIM115
    return io.TextIOWrapper(
        io.BufferedWriter(raw), encoding="utf-8", errors="backslashreplace", line_buffering=True
    )


def _flush() -> None:
    """Bring out what is still in buffers, Python's and C's."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            continue  # student's own object, or closed
    ctypes.CDLL(None).fflush(None)
