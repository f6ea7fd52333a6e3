"""How fast a submission is: the ratio of its time to pyattn's, one thread each, on the same core, in turn.

New data for every call, every output checked, the clock outside. pyattn runs before and after the student's call, so
that a processor which becomes slower or faster meanwhile does so for both; its own processor time counts, which nobody
can stretch by taking the core from it. The median over the rounds counts, without those in which others had the core;
where these are nearly all, the report says so. Quartiles are shown, and what no processor of this kind can do is held
for a person.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import statistics
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

import pyattn
from grader import bounds, calls, inputs
from grader.evidence import Evidence
from grader.models import Message, Outcome, Speed, Status, Test, Track, Value
from grader.sandbox import Level, Sandbox

ROUNDS = 15
LEAST_ROUNDS = 3
BUDGET_SECONDS = 6.0  # for the rounds of one test; slow submissions get fewer rounds, not more time
PATIENCE_SECONDS = 15.0  # … unless others have the core: so long for LEAST_ROUNDS without them
SAMPLED_QUERIES = 32  # of each head: their error bounds are computed, and stand for the others'
SLACK = 4.0  # … which may be so many times the largest of these
# On one core nobody has more processor time than the clock shows; a thread that computes before "go", from data that
# is already there, or takes the core from pyattn, does. Cgroups count to the microsecond, /proc in ticks of 10 ms.
OVERWORK = 1.02
OVERWORK_SECONDS = 0.00025
TICKS_SECONDS = 0.02
BEYOND = 1.2  # times the most that was measured on this core
AFTERMATH = 1.1  # who is slower by more after most calls is slowed by what these have left behind
ALONE = 0.97  # of the clock's time is processor time where nobody else had the core


@dataclass(frozen=True)
class Round:
    """One call of each, in seconds."""

    student: float
    before: float  # of pyattn
    after: float
    cpu: float  # of everything in the sandbox, from the loading of the data until well after the call
    alone: bool = True  # whether nobody else had the core, as far as can be told

    @property
    def reference(self) -> float:
        """Pyattn's time, as it was in the middle of the round."""
        return (self.before + self.after) / 2


def measure(
    box: Sandbox, evidence: Evidence, track: Track, cpu: int | None
) -> tuple[Speed | None, tuple[Message, ...]]:
    """Time one test's call beside pyattn.

    While NumPy's products have no threads of their own (`single_threaded_blas`): these would wait, awake, on the core.

    Returns
    -------
    speed : Speed or None
        None when a timed call failed.
    findings : tuple of Message
        Without a speed: why. With one: what speaks against it.
    """
    test = evidence.test
    function = evidence.assignment.functions[test.function]
    rounds: list[Round] = []
    began = time.monotonic()
    call = calls.call_for(function, track, evidence.arguments, evidence.expected)
    with on_core(cpu), box.timed(call, test.limits) as timed:
        while _wants_more(rounds, time.monotonic() - began):
            arguments = inputs.make_arguments(test, secrets.randbits(62))
            timed.load(calls.call_for(function, track, arguments, evidence.expected).arguments)
            before = _reference(arguments)
            student = timed.run()
            after = _reference(arguments)
            outcome = timed.fetch()
            findings = _faults(outcome, arguments, student, timed.outside_seconds, _slack(box))
            if findings:
                return None, tuple(calls.with_names(message, function) for message in findings)
            rounds.append(_round(before, after, student, outcome.cpu_seconds, exact=box.level is Level.FULL))
        if findings := _overworked(rounds):
            return None, findings
        speed = _speed(_undisturbed(rounds[1:]), flops(evidence.arguments), _peak_flops())
        return speed, _if_busy(rounds[1:])


@contextlib.contextmanager
def on_core(cpu: int | None) -> Iterator[None]:
    """Keep this thread, and so the reference, on the core that the submission runs on."""
    before = os.sched_getaffinity(0)
    try:
        if cpu is not None:
            os.sched_setaffinity(0, {cpu})
        yield
    finally:
        os.sched_setaffinity(0, before)


def _reference(arguments: Mapping[str, Value]) -> float:
    """Seconds of processor time of pyattn's call, which is in this thread and waits for nothing."""
    q, k, v = (arguments[name] for name in "qkv")
    began = time.thread_time()
    pyattn.attention(q, k, v, num_threads=1)
    return time.thread_time() - began


def _round(before: float, after: float, student: float, cpu: float, *, exact: bool) -> Round:
    """One round; `exact` where processor time of the sandbox is counted and not estimated from ticks."""
    return Round(student, before, after, cpu, alone=not exact or cpu >= ALONE * student)


def _alone(rounds: list[Round]) -> list[Round]:
    return [one for one in rounds if one.alone]


def _wants_more(rounds: list[Round], seconds: float) -> bool:
    """Another round? The first one is not counted."""
    calm = len(_alone(rounds[1:]))
    enough = ROUNDS if seconds < BUDGET_SECONDS else LEAST_ROUNDS if seconds < PATIENCE_SECONDS else 0
    return len(rounds) < LEAST_ROUNDS or calm < enough


def _undisturbed(rounds: list[Round]) -> list[Round]:
    """The rounds that count: those where nobody else had the core, or had the least of it.

    A program that waits in every call is as slow as it is.
    """
    alone = _alone(rounds)
    return alone if len(alone) >= LEAST_ROUNDS else sorted(rounds, key=_share_of_core)[-LEAST_ROUNDS:]


def _share_of_core(one: Round) -> float:
    return one.cpu / one.student


def _if_busy(rounds: list[Round]) -> tuple[Message, ...]:
    calm = len(_alone(rounds))
    return (Message("core-was-busy", {"calm": calm, "rounds": len(rounds)}),) if calm < LEAST_ROUNDS else ()


def _slack(box: Sandbox) -> float:
    """How far the processor time of one call may be off."""
    return OVERWORK_SECONDS if box.level is Level.FULL else TICKS_SECONDS


def _overworked(rounds: list[Round]) -> tuple[Message, ...]:
    """Work outside of the calls that is too little to show in one of them where only ticks are counted.

    Their sum is right to two ticks. A call that waits earns no credit for others: it counts for twice the usual.
    """
    usual = statistics.median(one.student for one in rounds)
    wall = sum(min(one.student, 2 * usual) for one in rounds)
    return _if_more(sum(one.cpu for one in rounds), wall, TICKS_SECONDS)


def _if_more(cpu: float, wall: float, slack: float) -> tuple[Message, ...]:
    return _outside(cpu - wall) if cpu > OVERWORK * wall + slack else ()


def _outside(seconds: float) -> tuple[Message, ...]:
    return (Message("works-after-return", {"seconds": seconds}),)


def _faults(
    outcome: Outcome, arguments: Mapping[str, Value], seconds: float, outside: float, slack: float
) -> tuple[Message, ...]:
    """Why a timed call does not count."""
    if outcome.status is not Status.OK:
        return (outcome.message or Message("no-answer"),)
    if outcome.changed:
        return tuple(Message("input-changed", {"name": name}) for name in outcome.changed)
    if outside > slack:  # exact on a busy machine, too, where others stretch the clock's time
        return _outside(outside)
    if overwork := _if_more(outcome.cpu_seconds, seconds, slack):
        return overwork
    return () if _is_right(outcome.results[0], arguments) else (Message("wrong-when-timed"),)


def _is_right(got: np.ndarray, arguments: Mapping[str, Value]) -> bool:
    """Every element against pyattn in float64; the bounds are those of some queries, drawn after the call."""
    q, k, v = (np.asarray(arguments[name], np.float64) for name in "qkv")
    exact = pyattn.attention(q, k, v, num_threads=1)
    if got.shape != exact.shape:
        return False
    rows = np.random.default_rng().permutation(q.shape[-2])[:SAMPLED_QUERIES]
    sampled = {name: arguments[name] for name in "kv"} | {"q": np.asarray(arguments["q"])[..., rows, :]}
    (allowed,) = bounds.of("attention", sampled, (exact[..., rows, :],))
    error = bounds.errors(got, exact)
    return bool(np.all(error[..., rows, :] <= allowed) and np.all(error <= SLACK * allowed.max()))


def flops(arguments: Mapping[str, Value]) -> float:
    """Of the two products: 2 · heads · queries · keys · (width + value width)."""
    q, k, v = (np.asarray(arguments[name]) for name in "qkv")
    return 2.0 * q[..., 0].size * k.shape[-2] * (q.shape[-1] + v.shape[-1])


def _peak_flops(queries: int = 512, width: int = 128) -> float:
    """Floating-point operations per second of pyattn where nothing but multiplying counts: nearly all a core can do."""
    q = np.ones((1, queries, width), np.float32)
    return flops({"q": q, "k": q, "v": q}) / min(_reference({"q": q, "k": q, "v": q}) for _ in range(5))


def _speed(rounds: list[Round], work: float, peak: float) -> Speed:
    rounds = _without_aftermath(rounds)
    ratios = [one.student / one.reference for one in rounds]
    low, ratio, high = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else ratios * 3
    student = statistics.median(one.student for one in rounds)
    reference = statistics.median(one.reference for one in rounds)
    fastest = max(peak, work / min(one.reference for one in rounds))
    return Speed(
        ratio, low, high, len(rounds), student, reference, work, held=work / student > BEYOND * fastest
    )


def _without_aftermath(rounds: list[Round]) -> list[Round]:
    """The rounds as if pyattn had been as fast after the calls as before them, where these leave it slower.

    Interrupts that a call has ordered for later, say, are counted as time of whoever they interrupt.
    """
    slower = statistics.median(one.after / one.before for one in rounds) > AFTERMATH
    return [replace(one, after=one.before) for one in rounds] if slower else rounds


def share(test: Test, ratio: float) -> float:
    """Of the test's points for so many times pyattn's time."""
    return max((part for limit, part in _steps(test) if ratio <= limit), default=0.0)


def target(test: Test) -> float:
    """The ratio that earns all points."""
    return max(limit for limit, part in _steps(test) if part >= 1)


def _steps(test: Test) -> list[tuple[float, float]]:
    return [(float(limit), float(part)) for limit, part in test.options["ratios"]]  # type: ignore[attr-defined]
