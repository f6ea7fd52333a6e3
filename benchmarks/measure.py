"""Check, choose, and time: engines take turns in short rounds, so that a noisy minute hits them all."""

from __future__ import annotations

import statistics
import time
import timeit
from collections.abc import Callable
from dataclasses import dataclass, field

from engines import Call, Engine, Missing, Unsupported
from noise import QUIET, Others, rest, wait_for_quiet
from problems import Problem, WrongAnswer, check


@dataclass
class Timing:
    """What became of one engine in one row. ``status``: timed, unsupported, missing, failed or wrong."""

    engine: str
    status: str
    reason: str = ""
    setting: str = ""
    error: float | None = None
    settings: dict[str, float] = field(default_factory=dict)  # seconds a call in the trial, of every setting
    samples: list[float] = field(default_factory=list)  # seconds a call, one a round

    @property
    def seconds(self) -> float | None:
        return statistics.median(self.samples) if self.samples else None

    @property
    def to_blame(self) -> bool:
        """True for what must not pass in silence."""
        return self.status in ("wrong", "failed")


def prepare(engine: Engine | Missing, problem: Problem, seconds: float, whole_call: bool = False):
    """The engine's fastest setting and a Timing; no call when there is nothing to time.

    Every setting's answer is checked first: one wrong setting condemns the engine.
    """
    if isinstance(engine, Missing):
        return None, Timing(engine.name, "missing", engine.reason)
    try:
        calls = engine.calls(problem)
        error = max(check(problem, call.output(call.run())) for call in calls.values())
    except Unsupported as reason:
        return None, Timing(engine.name, "unsupported", str(reason))
    except WrongAnswer as reason:
        return None, Timing(engine.name, "wrong", str(reason))
    except Exception as reason:
        return None, Timing(engine.name, "failed", f"{type(reason).__name__}: {reason}")
    trials = {name: trial(call.run, seconds) for name, call in calls.items()}
    chosen = min((n for n, call in calls.items() if not (whole_call and call.bound)), key=trials.__getitem__)
    return calls[chosen], Timing(engine.name, "timed", "", chosen, error, trials)


def trial(run: Callable[[], object], seconds: float) -> float:
    """Median seconds of a call, from as many calls as fit into ``seconds`` (one at the least)."""
    rest()
    times: list[float] = []
    stop = time.perf_counter() + seconds
    while not times or time.perf_counter() < stop:
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def sampler(call: Call, expected: float, seconds: float) -> Callable[[], float]:
    """A function that gives the mean seconds of a call over about ``seconds``."""
    count = max(1, round(seconds / expected))

    def sample() -> float:
        if expected < seconds:
            call.run()  # wakes its threads
        return timeit.timeit(call.run, number=count) / count

    return sample


def interleave(
    samplers: dict[str, Callable[[], float]], rounds: int, patience: float = 0.0
) -> tuple[dict[str, list[float]], float]:
    """Let all take turns, starting with another one each time, when the machine and our own threads are quiet.

    Waits ``patience`` seconds at most, in all, for others to leave the machine alone. A round in which they did not
    is run again, so that there are up to twice as many, and the quietest are kept. Returns the samples by name and
    the largest share of the machine that others had in a round that was kept.
    """
    names = list(samplers)
    noted: list[tuple[float, dict[str, float]]] = []
    while names and sum(share < QUIET for share, _ in noted) < rounds and len(noted) < 2 * rounds:
        patience -= wait_for_quiet(patience)
        noted.append(_round(samplers, names[len(noted) % len(names) :] + names[: len(noted) % len(names)]))
    kept = sorted(noted, key=lambda round_: round_[0])[:rounds]
    samples = {name: [sample[name] for _, sample in kept] for name in names}
    return samples, max((share for share, _ in kept), default=0.0)


def _round(samplers: dict[str, Callable[[], float]], order: list[str]) -> tuple[float, dict[str, float]]:
    others, samples = Others(), {}
    for name in order:
        rest()
        samples[name] = samplers[name]()
    return others.share(), samples
