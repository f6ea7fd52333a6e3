"""Grades programs of the corpus, each watched for traces, in a few processes at once.

What a program leaves behind is looked for below one process, and a sandbox dies with the thread that opened it: so the
programs are shared out to processes, of which each grades one at a time on a core of its own.
"""

from __future__ import annotations

import multiprocessing
import os
import secrets
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path

from corpus_program import Program
from host_traces import Traces, orphans_come_to_us, same_again, traces

from grader import grading
from grader.models import Report
from grader.sandbox import Level

AT_ONCE = min(2, len(os.sched_getaffinity(0)))
_keep = ExitStack()  # until the process ends


@dataclass(frozen=True)
class Graded:
    """What became of a program, and of the host."""

    report: Report
    before: Traces
    after: Traces
    scratch: tuple[str, ...]  # what is left in the folder for temporary files
    secret: str  # is in a file of the host and in the environment of the grader


@contextmanager
def graded(programs: Iterable[Program], level: Level) -> Iterator[Mapping[str, Future[Graded]]]:
    """Begin to grade all of them; name → what came of it, once it is there."""
    context = multiprocessing.get_context("spawn")
    # The level reduced limits processes by uid: an ordinary user's sandboxes would count each other's.
    workers = AT_ONCE if level is Level.FULL or os.geteuid() == 0 else 1
    with ProcessPoolExecutor(workers, context, _begin, (context.Value("i", 0),)) as pool:
        try:
            yield {program.name: pool.submit(_grade, program, level) for program in programs}
        finally:
            pool.shutdown(cancel_futures=True)


def _begin(started: Synchronized[int]) -> None:
    """A worker's first act: it takes a core, so that two timed programs do not meet on one."""
    warnings.simplefilter("error")
    with started.get_lock():
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[started.value % len(cores)]})
        started.value += 1
    _keep.enter_context(orphans_come_to_us())


def _grade(program: Program, level: Level) -> Graded:
    with tempfile.TemporaryDirectory(prefix="corpus-") as folder:
        canary, scratch = Path(folder, "canary"), Path(folder, "scratch")
        scratch.mkdir()
        canary.write_text(secret := secrets.token_hex(16))
        canary.chmod(0o644)
        Path(folder).chmod(0o755)
        os.environ["CORPUS_CANARY"] = secret
        tempfile.tempdir = str(scratch)
        try:
            before = same_again(replace(traces(), processes=frozenset()))
            report = grading.grade(program.submission(canary), program.assignment, level=level)
            left = *map(str, scratch.iterdir()), *([] if canary.read_text() == secret else ["another canary"])
            return Graded(report, before, same_again(before), left, secret)
        finally:
            tempfile.tempdir = None
