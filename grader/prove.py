"""Proves of an assignment that it judges well: the solution passes, and every known mistake is caught and named."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from grader import bounds, diagnosis, inputs, solutions
from grader.evidence import Evidence
from grader.models import Assignment, Mistake, Named, Test, Value

Results = tuple[np.ndarray, ...]
Grade = Callable[[Assignment, Sequence[Path]], Iterable[float]]  # submissions → their scores, by the sandbox


@dataclass(frozen=True)
class Shown:
    """What the tests made of one mistake: those it passes (blind ones), and the names that it was given."""

    mistake: Mistake
    numbers: Mapping[str, float]
    seed: int
    blind: tuple[str, ...]
    caught: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]  # one for each wrong answer that got a name

    @property
    def named(self) -> bool:
        """Whether it got its own name and no other."""
        return bool(self.names) and all(codes == (self.mistake.code,) for codes in self.names)


@dataclass(frozen=True)
class Proof:
    """All that was found; `faults` is empty when the assignment judges as it must."""

    assignment: Assignment
    seeds: tuple[int, ...]
    shown: tuple[Shown, ...]
    faults: tuple[str, ...]
    cheats: Mapping[str, float] = field(
        default_factory=dict
    )  # file name → score, when a way to grade was given

    @property
    def holds(self) -> bool:
        """Whether nothing was wrong."""
        return not self.faults

    def blind_spots(self) -> dict[str, tuple[str, ...]]:
        """Test id → the mistakes that it never saw, with any seed or number; not for tests of speed and memory."""
        never = {}
        for test in self.assignment.tests:
            if test.group in diagnosis.SKIPPED_GROUPS:
                continue
            sighted = {shown.mistake.code for shown in self.shown if test.id in shown.caught}
            never[test.id] = tuple(m.code for m in self.assignment.mistakes if m.code not in sighted)
        return never


def prove(assignment: Assignment, seeds: Sequence[int], grade: Grade | None = None) -> Proof:
    """Run solution, mistakes and (with `grade`, which needs a sandbox) cheats; collect what is not as it must be."""
    shown: list[Shown] = []
    faults = [*_raised(assignment, seeds[0])]
    if faults:  # there is nothing to compare with
        return Proof(assignment, tuple(seeds), (), tuple(faults))
    for seed in seeds:
        made = [(test, inputs.make_arguments(test, seed)) for test in assignment.tests]
        faults += [f"seed {seed}: the solution fails {id}" for id in _failures(assignment, made)]
        small = [pair for pair in made if pair[0].group not in diagnosis.SKIPPED_GROUPS]
        for mistake in assignment.mistakes:
            for number in _numbers(mistake):
                shown.append(_show(assignment, small, mistake, number, seed))
    faults += _verdicts(shown)
    names = [path.name for path in assignment.cheats]
    cheats = dict(zip(names, grade(assignment, assignment.cheats), strict=True)) if grade else {}
    faults += [f"the cheat {name} gets {score:g} points" for name, score in cheats.items() if score > 0]
    return Proof(assignment, tuple(seeds), tuple(shown), tuple(faults), cheats)


def _raised(assignment: Assignment, seed: int) -> Iterable[str]:
    """The tests in which the solution raises: their arguments do not suit it."""
    for test in assignment.tests:
        try:
            solutions.expected(assignment, test, inputs.make_arguments(test, seed))
        except Exception as error:
            yield f"tests.{test.id}: the solution raises {type(error).__name__}: {error}. Change the test's arguments."


def _failures(assignment: Assignment, made: list[tuple[Test, dict[str, Value]]]) -> Iterable[str]:
    """The tests whose bound the solution does not keep when it computes in the inputs' own dtype."""
    for test, arguments in made:
        exact = solutions.expected(assignment, test, arguments)
        own = solutions.evaluate(assignment, test, arguments)
        if own is None or not bounds.within(own, exact, bounds.of(test.bound, arguments, exact)):
            yield test.id


def _numbers(mistake: Mistake) -> list[dict[str, float]]:
    """Free numbers to try: a fourth, a half and three fourths of the way, by their logarithms."""
    if not mistake.fit:
        return [{}]
    return [
        {name: _between(*ends, share) for name, ends in mistake.fit.items()} for share in (0.25, 0.5, 0.75)
    ]


def _between(low: float, high: float, share: float) -> float:
    logarithm = (1 - share) * math.log(abs(low)) + share * math.log(abs(high))
    return math.copysign(math.exp(logarithm), low)


def _show(
    assignment: Assignment,
    made: list[tuple[Test, dict[str, Value]]],
    mistake: Mistake,
    numbers: Mapping[str, float],
    seed: int,
) -> Shown:
    """Hand the mistake in as a student would, computing in the inputs' dtype."""
    caught, evidence = [], []
    for test, arguments in made:
        results = solutions.evaluate(assignment, test, arguments, (mistake,), numbers)
        if results is None:
            caught.append(test.id)
        else:
            evidence.append(Evidence(assignment, test, arguments, results))
    caught += [one.test.id for one in evidence if not one.right]
    blind = tuple(one.test.id for one in evidence if one.right)
    return Shown(
        mistake, numbers, seed, blind, tuple(caught), _codes(diagnosis.diagnose_all(evidence).values())
    )


def _codes(names: Iterable[Named]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(m.code for m in named.mistakes) for named in names)


def _verdicts(shown: list[Shown]) -> Iterable[str]:
    for one in shown:
        numbers = "".join(f" ({name} = {number:.3g})" for name, number in one.numbers.items())
        what = f"seed {one.seed}: {one.mistake.code}{numbers}"
        if not one.caught:
            yield f"{what} passes every test"
        elif not one.named:
            other = ", ".join(sorted({" + ".join(codes) for codes in one.names})) or "nothing"
            yield f"{what} is named {other}"
