"""Compiles a submission in a sandbox of its own, where there is no test data; only the library comes out."""

from __future__ import annotations

import re
import shutil
import sysconfig
import time
from collections.abc import Mapping
from dataclasses import replace

from ..models import Build, Call, Limits, Message, Outcome, Status
from .arena import Arena
from .engine import Engine
from .inside import protocol
from .levels import Level
from .runtime import packages
from .unavailable import SandboxUnavailable
from .verdict import Observed, judge

_FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
_LIBRARY = "submission.so"
_LIBRARY_BYTES = 64 << 20
_TEMPORARY_BYTES = 512 << 20
_PROCESSES = 64
_LINE_CHARS = 300
_NO_MEMORY = re.compile(  # where no control group has counted it
    r"virtual memory exhausted|memory exhausted|out of memory|cannot allocate memory|MemoryError",
    re.IGNORECASE,
)
_LIMITS = ("compile-out-of-memory", "compile-file-too-large", "compile-timed-out")
_COMPLAINT = re.compile(
    r"\S+: (fatal error: .+ signal terminated|internal compiler error:)"
    r"|compilation terminated|Please submit a full bug|See <\S+> for instructions"
)
_NO_ROOM = re.compile(r"file size limit exceeded|file too large|no space left on device", re.IGNORECASE)
# What g++, gcc and their linker write before an error, and Cython: it alone gives no word for it.
_ERROR = re.compile(r"\berror: |^\S+\.(pyx|pxd|pxi):\d+:\d+: (?!warning|note)", re.IGNORECASE)


def build(
    files: Mapping[str, bytes], track: str, limits: Limits, level: Level
) -> tuple[Build, Mapping[str, bytes]]:
    """Compile, and give the files of the run: the library instead of the sources."""
    _need_compilers(track)
    began = time.monotonic()
    limits = _compile_limits(limits)
    outcome, seen = _run(files, track, limits, level)
    seconds = time.monotonic() - began
    log = outcome.printed.decode("utf-8", "replace").replace("\0", "")
    if outcome.status is not Status.OK:
        reason = _reason(outcome, seen, log, limits)
        return Build(False, _about_the_source(log, reason), seconds, reason), {}
    helpers = {name: data for name, data in files.items() if name.endswith(".py") and track == "cython"}
    return Build(True, log, seconds), {**helpers, _LIBRARY: outcome.results[0].tobytes()}


def _need_compilers(track: str) -> None:
    """A machine without them is the grader's fault and not the student's."""
    wanted = "g++" if track == "cpp" else "gcc"
    if shutil.which(wanted) is None:
        raise SandboxUnavailable(f"track {track} needs {wanted}: `apt install g++`")
    if track == "cython" and not any(path.name == "Cython" for path in packages(compilers=True)):
        raise SandboxUnavailable("track cython needs Cython: `pip install cython`")


def _compile_limits(limits: Limits) -> Limits:
    return replace(
        limits,
        wall_seconds=limits.compile_seconds,
        cpu_seconds=limits.compile_seconds,
        memory_bytes=limits.compile_memory_bytes,
        processes=_PROCESSES,
        file_bytes=_TEMPORARY_BYTES,
        result_bytes=_LIBRARY_BYTES,
    )


def _run(files: Mapping[str, bytes], track: str, limits: Limits, level: Level) -> tuple[Outcome, Observed]:
    engine = Engine(files, limits, level, None, compilers=True)
    arena = Arena(Call("build", {}), limits.result_bytes, limits.printed_bytes, track)
    arena.result_dtypes = ("uint8",)
    arena.write_spec((_commands(track), "{scratch}/" + _LIBRARY, arena.results_at, limits.result_bytes))
    try:
        order = engine.order(protocol.BUILD, limits, limits.wall_seconds, arena.size, arena.printed_at)
        engine.send(order, [arena.descriptor], limits)
        began = time.monotonic()
        ending = engine.receive(limits, limits.wall_seconds)
        seen = engine.observed(ending, time.monotonic() - began)
        return judge(arena, seen, limits), seen
    finally:
        arena.close()
        engine.close()


def _commands(track: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What is run, one after the other, and what it is called; names in braces are filled in inside."""
    library = "{scratch}/" + _LIBRARY
    if track == "cpp":
        return (("g++", ("g++", *_FLAGS, "-o", library, "submission.cpp")),)
    source = "{scratch}/submission.c"
    python = sysconfig.get_path("include")
    return (
        ("Cython", ("{python}", "-S", "-B", "-m", "cython", "-3", "-o", source, "submission.pyx")),
        ("gcc", ("gcc", *_FLAGS, "-w", "-I.", f"-I{python}", "-I{numpy}", "-o", library, source)),
    )


def _reason(outcome: Outcome, seen: Observed, log: str, limits: Limits) -> Message:
    """Why there is no library. A limit goes before what the compiler makes of it, which speaks of bugs of its own."""
    said, line = outcome.message or Message("no-answer"), _first_error(log)
    if outcome.status is Status.TIMEOUT:
        return Message("compile-timed-out", {"seconds": limits.wall_seconds})
    if outcome.status is Status.OUT_OF_MEMORY or seen.out_of_memory or _NO_MEMORY.search(line):
        return Message("compile-out-of-memory", {"limit": limits.memory_bytes >> 20})
    if said.code == "file-too-large" or _NO_ROOM.search(line):
        return Message("compile-file-too-large", {"limit": limits.file_bytes >> 20})
    if said.code == "compile-failed":
        return Message("compile-failed", {**said.params, "text": line})
    return said if said.code == "library-too-large" else Message("compile-ended", {"why": said})


def _about_the_source(log: str, reason: Message) -> str:
    """The log; where a limit ended the compiler without what it takes for a fault of its own."""
    if reason.code not in _LIMITS:
        return log
    return "".join(line for line in log.splitlines(keepends=True) if not _COMPLAINT.match(line))


def _first_error(log: str) -> str:
    """The line of a log that tells most: the first error, else the last line there is."""
    lines = [line for line in log.splitlines() if line.strip()] or ["–"]
    return next(filter(_ERROR.search, lines), lines[-1])[:_LINE_CHARS]
