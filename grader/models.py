"""What the grader knows, as plain data. Nothing here does anything; everything else speaks in these words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TypeAlias

import numpy as np

Text: TypeAlias = Mapping[str, str]  # "en", "zh" → words, for texts that an assignment brings along
Value: TypeAlias = np.ndarray | float | int | bool | str | None  # what an argument of a test may be


@dataclass(frozen=True)
class Message:
    """A code of the catalogue of messages and what to fill in; the language is chosen when it is shown."""

    code: str
    params: Mapping[str, object] = field(default_factory=dict)


# ---- What an assignment is ----


@dataclass(frozen=True)
class Limits:
    """What a submission may use. Seconds and bytes; of one test, except where the name says otherwise."""

    wall_seconds: float = 5.0
    cpu_seconds: float = 10.0
    memory_bytes: int = 512 << 20
    processes: int = 32
    printed_bytes: int = 64 << 10
    file_bytes: int = 64 << 20
    result_bytes: int = 64 << 20
    compile_seconds: float = 60.0
    compile_memory_bytes: int = 2 << 30
    run_seconds: float = 60.0  # the whole submission, compiling not counted


@dataclass(frozen=True)
class ArraySpec:
    """How to make an argument that is an array: `fill` names a recipe of `grader.inputs`."""

    shape: tuple[int, ...]
    dtype: str = "float32"
    fill: str = "normal"
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Function:
    """An entry point: its parameters in order and the names of what it returns."""

    name: str
    parameters: tuple[str, ...]
    results: tuple[str, ...]
    axes: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # result → its axes; the first may be missing
    positional: int = 0  # so many of the parameters may be passed by position, the others by keyword only


@dataclass(frozen=True)
class Track:
    """A language that an assignment may be handed in as."""

    name: str  # "numpy", "cython" or "cpp"
    file: str  # the submission's file: submission.py, .pyx or .cpp
    starter: str  # the starter's file in the assignment's folder
    # cpp only, the C signature in order: the name of an array (a pointer to its dtype; the callee fills the results)
    # or "name[axis]" (an int64_t, the size of that axis; from the end when negative).
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Test:
    """One call of one entry point, the checks its result must pass, and what it is worth."""

    id: str
    title: Text
    group: str  # "public", "hidden", "stability", "memory" or "speed"
    points: float
    function: str
    arguments: Mapping[str, ArraySpec | Value]
    checks: tuple[str, ...]
    bound: str
    limits: Limits
    options: Mapping[str, object] = field(default_factory=dict)  # of its checks: target ratios of speed
    assignment: str = ""  # the slug; part of what the inputs are made from


@dataclass(frozen=True)
class Mistake:
    """One known error: the steps of the solution that it replaces, and what to tell whoever makes it."""

    code: str
    title: Text
    hint: Text
    source: Path
    replaces: tuple[str, ...]
    fit: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # free numbers, and within what
    precision: str = ""  # the dtype it computes in, when the only mistake is a coarse one


@dataclass(frozen=True)
class Assignment:
    """A folder of `grader/assignments`, read and validated."""

    slug: str
    number: int
    version: int
    title: Text
    folder: Path
    functions: Mapping[str, Function]
    tracks: Mapping[str, Track]
    tests: tuple[Test, ...]
    mistakes: tuple[Mistake, ...]
    cheats: tuple[Path, ...]


# ---- What a run of a submission gave ----


class Status(str, Enum):
    """How a call of student's code ended. Only OK has results."""

    OK = "ok"
    RAISED = "raised"  # an exception came out of the call
    IMPORT_FAILED = "import-failed"  # … or out of the import, syntax errors included
    MISSING = "missing"  # no such entry point, or it cannot be called
    REFUSED = "refused"  # what came back is not the arrays asked for; `message` says what it was
    EXITED = "exited"  # the process ended before it had an answer
    KILLED = "killed"  # … by a signal
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out-of-memory"
    TOO_LARGE = "too-large"  # results beyond the limit
    SKIPPED = "skipped"  # not run: too many time-outs before, or the run's time is over
    GRADER_ERROR = "grader-error"


@dataclass(frozen=True)
class Call:
    """One call to make inside the sandbox."""

    function: str
    arguments: Mapping[str, Value]  # by name, in the order of the parameters
    positional: int = 0  # this many of them are passed by position, the others by keyword
    results: int = 1
    outputs: tuple[tuple[tuple[int, ...], str], ...] = ()  # cpp only: shape, dtype of what is filled


@dataclass(frozen=True)
class Outcome:
    """What one call gave. Everything but `results` was measured or worded by the trusted side."""

    status: Status
    results: tuple[np.ndarray, ...] = ()
    changed: tuple[str, ...] = ()  # names of arguments whose bytes are others after the call
    message: Message | None = None  # why, when the status is not OK
    traceback: str = ""  # as the student's process told it: untrusted text, capped
    printed: bytes = b""  # capped, head and tail
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_bytes: int = 0


@dataclass(frozen=True)
class Build:
    """What compiling a submission gave; `log` is untrusted text."""

    ok: bool
    log: str = ""
    seconds: float = 0.0
    message: Message | None = None


# ---- What is reported ----


@dataclass(frozen=True)
class Named:
    """The mistakes (one, or a pair) that give exactly the student's wrong answer, with fitted numbers."""

    mistakes: tuple[Mistake, ...]
    fitted: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Speed:
    """Time of the student's call over that of pyattn's beside it, one thread on one core."""

    ratio: float  # median
    low: float  # quartiles
    high: float
    rounds: int
    student_seconds: float
    reference_seconds: float
    flops: float  # of one call
    held: bool = False  # faster than this processor can be: a person must look


@dataclass(frozen=True)
class TestResult:
    """One test of the report. The same tests are in every report of an assignment."""

    test: Test
    score: float
    findings: tuple[Message, ...] = ()  # what was wrong, most telling first; empty = passed
    named: Named | None = None
    outcome: Outcome | None = None
    call: str = ""  # what was called, for people
    speed: Speed | None = None
    picture: str | None = None  # a file beside the report

    @property
    def passed(self) -> bool:
        """Whether every check agreed."""
        return not self.findings


@dataclass(frozen=True)
class Report:
    """The whole of a graded submission."""

    assignment: Assignment
    track: str
    results: tuple[TestResult, ...]
    seed: int
    level: str  # of the sandbox
    notes: tuple[Message, ...] = ()  # about the submission as a whole
    build: Build | None = None
    seconds: float = 0.0
    environment: Mapping[str, str] = field(
        default_factory=dict
    )  # to run it again: versions, processor, flags
    fault: bool = False  # the grader's own; no points are lost by it

    @property
    def score(self) -> float:
        """The sum over the tests."""
        return sum(result.score for result in self.results)

    @property
    def max_score(self) -> float:
        """What all tests are worth."""
        return sum(result.test.points for result in self.results)
