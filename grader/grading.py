"""Grades a submission: compile, run, check, diagnose, time. The whole service in one function, without a server."""

from __future__ import annotations

import contextlib
import logging
import platform
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np

import pyattn
from grader import calls, checks, cores, diagnosis, inputs, solutions, timing
from grader.blas import single_threaded_blas
from grader.checks import Seen
from grader.evidence import Evidence
from grader.models import Assignment, Limits, Message, Outcome, Report, Status, Test, TestResult, Track, Value
from grader.sandbox import Level, Sandbox
from grader.submission import Submission

log = logging.getLogger(__name__)

MOST_TIMEOUTS = 2  # then the other tests are not run


@dataclass(frozen=True)
class Ran:
    """One test after its call: what went in, what came out, and the arrays if there were any."""

    test: Test
    arguments: Mapping[str, Value]
    outcome: Outcome
    evidence: Evidence | None = None


def grade(
    submission: Submission,
    assignment: Assignment,
    *,
    seed: int | None = None,
    level: Level | None = None,
    cpu: int | None = None,
    progress: Callable[[int], None] = lambda step: None,
) -> Report:
    """Run every test of an assignment on a submission.

    Parameters
    ----------
    submission : Submission
    assignment : Assignment
    seed : int, optional
        Of the inputs; a secret one by default. The same seed gives the same inputs.
    level : Level, optional
        Of the sandbox; the best that this machine has by default.
    cpu : int, optional
        The core to run on. Where something is timed, by default one that no other grader measures on.
    progress : callable, optional
        Is told before every test how many are over.

    Raises
    ------
    SandboxUnavailable
        There is no safe way to run anything here.
    """
    began = time.monotonic()
    seed = secrets.randbits(62) if seed is None else seed
    track = submission.track
    limits = _whole(assignment)
    timed = any("speed" in test.checks for test in assignment.tests)
    # One thread for NumPy's products: on a busy machine more of them wait for each other and for the submission.
    with (
        cores.claimed(cpu) if timed else contextlib.nullcontext(cpu) as cpu,
        single_threaded_blas(),
        Sandbox.open(submission.files, track.name, limits, level=level, cpu=cpu) as box,
    ):
        ran = list(_run_all(box, assignment, track, seed, progress))
        results = _judged(assignment, ran)
        results = [_timed(box, result, one, track, cpu) for result, one in zip(results, ran, strict=True)]
    results = [_in_language(result, track.name) for result in results]
    return Report(
        assignment=assignment,
        track=track.name,
        results=tuple(results),
        seed=seed,
        level=str(box.level.value),
        notes=submission.notes,
        build=box.build,
        seconds=time.monotonic() - began,
        environment=environment(cpu),
        fault=any(one.outcome.status is Status.GRADER_ERROR for one in ran),
    )


def _whole(assignment: Assignment) -> Limits:
    """What the sandbox must allow so that each test can have its own limits."""
    every = [test.limits for test in assignment.tests]
    return Limits(**{f.name: max(getattr(limits, f.name) for limits in every) for f in fields(Limits)})


def _run_all(
    box: Sandbox, assignment: Assignment, track: Track, seed: int, progress: Callable[[int], None]
) -> Iterator[Ran]:
    """Every test once, in order. After two time-outs the others are not run."""
    timeouts = 0
    for step, test in enumerate(assignment.tests):
        progress(step)
        if timeouts >= MOST_TIMEOUTS:
            message = Message("skipped-after-timeouts", {"count": timeouts})
            yield Ran(test, {}, Outcome(Status.SKIPPED, message=message))
            continue
        ran = _run(box, assignment, test, track, seed)
        timeouts += ran.outcome.status is Status.TIMEOUT
        yield ran


def _run(box: Sandbox, assignment: Assignment, test: Test, track: Track, seed: int) -> Ran:
    arguments = inputs.make_arguments(test, seed)
    expected = solutions.expected(assignment, test, arguments)
    call = calls.call_for(assignment.functions[test.function], track, arguments, expected)
    try:
        outcome = box.call(call, test.limits)
    except (OSError, RuntimeError, ValueError) as error:  # the sandbox's own: no fault of the student's
        log.exception("the sandbox failed in test %s", test.id)
        return Ran(
            test,
            arguments,
            Outcome(Status.GRADER_ERROR, message=Message("grader-error", {"text": repr(error)})),
        )
    evidence = None
    if outcome.status is Status.OK:
        evidence = Evidence(assignment, test, arguments, outcome.results, expected)
    return Ran(test, arguments, outcome, evidence)


def _judged(assignment: Assignment, ran: Sequence[Ran]) -> list[TestResult]:
    """Findings, names and points of every test."""
    findings = [_findings(assignment, one) for one in ran]
    comparable = [
        one.evidence
        for one, found in zip(ran, findings, strict=True)
        if one.evidence and not any(message.code == "wrong-shape" for message in found)
    ]
    names = diagnosis.diagnose_all(comparable)
    return [
        TestResult(
            test=one.test,
            score=0.0 if found else one.test.points,
            findings=found,
            named=names.get(one.test.id) if found else None,
            outcome=one.outcome,
            call=calls.in_words(assignment.functions[one.test.function], one.arguments),
        )
        for one, found in zip(ran, findings, strict=True)
    ]


def _findings(assignment: Assignment, ran: Ran) -> tuple[Message, ...]:
    """What is wrong with a test; nothing only when there are results and every check agreed."""
    function = assignment.functions[ran.test.function]
    if ran.evidence is None:
        return (calls.with_names(ran.outcome.message or Message("no-answer"), function),)
    return checks.run(Seen(function, ran.evidence, ran.outcome))


def _timed(box: Sandbox, result: TestResult, ran: Ran, track: Track, cpu: int | None) -> TestResult:
    """The result with the points for speed, when the test is about speed and its values are right."""
    if "speed" not in ran.test.checks or ran.evidence is None or result.findings:
        return result
    speed, findings = timing.measure(box, ran.evidence, track, cpu)
    share = 0.0 if speed is None else timing.share(ran.test, speed.ratio)
    if share == 1:
        findings = ()
    elif speed is not None:
        findings = (Message("too-slow", {"ratio": speed.ratio, "target": timing.target(ran.test)}), *findings)
    return replace(result, speed=speed, findings=findings, score=share * ran.test.points)


def _in_language(result: TestResult, track: str) -> TestResult:
    return replace(result, findings=tuple(calls.in_language(found, track) for found in result.findings))


def environment(cpu: int | None = None) -> dict[str, str]:
    """What one needs to know to run the same again."""
    return {
        "grader": pyattn.__version__,
        "pyattn isa": pyattn.isa(),
        "numpy": np.__version__,
        "python": platform.python_version(),
        "processor": _processor(),
        "core": "any" if cpu is None else str(cpu),
        "compiler flags": "-O3 -march=native",
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next(
        (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine()
    )


def evidence_of(report: Report, result: TestResult) -> Evidence | None:
    """What a test's result was compared with, made again from the report's seed."""
    if result.outcome is None or result.outcome.status is not Status.OK:
        return None
    arguments = inputs.make_arguments(result.test, report.seed)
    return Evidence(report.assignment, result.test, arguments, result.outcome.results)
