"""Names the mistake behind a wrong answer: the one known mistake, or pair of them, that gives exactly this answer.

A mistake is tried by running the solution with it on the same inputs, in float64 and in the inputs' own dtype. It
*explains* an answer that equals what it gives within rounding, NaN and infinities included. The simplest explanation
counts: one mistake, then one with a free number fitted, then coarse arithmetic, then two mistakes. Where two different
ones of the same simplicity explain all there is to see, none is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from grader import bounds, coarseness, fitting
from grader.evidence import Evidence, Results, Suspects, same_shapes
from grader.models import Assignment, Mistake, Named, Test, Value

SLACK = 8.0  # a mistake's own rounding may be so many times what float32 shows of it
VAGUE = 1e-2  # … but no more than this part of its largest number
SKIPPED_GROUPS = ("memory", "speed")  # their inputs are large, and other tests show the same mistakes
FITS = 3  # answers that a free number is fitted to before it is given up
PLAIN, FITTED, SINGLE, HALF, PAIR, FITTED_PAIR = range(6)


def diagnose(
    assignment: Assignment, test: Test, arguments: Mapping[str, Value], results: Results
) -> Named | None:
    """Name the mistake of one wrong answer; None when the answer is right, or nothing or too much explains it."""
    return diagnose_all([Evidence(assignment, test, arguments, results)]).get(test.id)


@np.errstate(all="ignore")  # a student's numbers may be as large as numbers are
def diagnose_all(evidence: Sequence[Evidence]) -> dict[str, Named]:
    """Name the mistakes of a whole run: test id → its mistake, for the wrong answers that have one.

    First what explains every wrong answer and gives every right one is looked for. Only without it is each answer
    looked at alone; right answers still speak against what would have made them wrong.
    """
    seen = [one for one in evidence if one.test.group not in SKIPPED_GROUPS]
    # Most suspects fail at the first, which must be quick. float64: free numbers are often too small for float32.
    wrong = sorted((one for one in seen if not one.right), key=lambda one: (one.dtype != "float64", one.size))
    right = [one for one in seen if one.right]
    if not wrong:
        return {}
    telling = [one for one in wrong if not _is_blank(one)]
    common = _simplest(wrong, right, last=FITTED_PAIR if telling else FITTED)
    if common:
        return _shares(common, wrong) if len(common) == 1 else {}
    telling = telling if len(wrong) > 1 else []
    alone = {one.test.id: _simplest([one], right, last=FITTED) for one in telling}
    return {id: found[0] for id, found in alone.items() if len(found) == 1 and _is_borne_out(found[0], wrong)}


def _is_borne_out(named: Named, wrong: list[Evidence]) -> bool:
    """Whether a mistake explains at least half of the wrong answers that it has a part in, whatever else is wrong."""
    explained = [explains(one, named) for one in wrong]
    touched = [yes or _touches(one, named) for one, yes in zip(wrong, explained, strict=True)]
    return 2 * sum(explained) >= sum(touched)


def _touches(one: Evidence, named: Named) -> bool:
    """Whether the mistake alone would make this answer wrong."""
    given = one.run(named.mistakes, named.fitted, "float64")
    return given is None or not _is_right(one, given)


def _is_blank(one: Evidence) -> bool:
    """Whether an answer is nothing but zeros or NaN: too many mistakes give that for it to tell any by itself."""
    return all(not np.nan_to_num(result, posinf=1.0, neginf=1.0).any() for result in one.results)


def _shares(common: list[Named], wrong: list[Evidence]) -> dict[str, Named]:
    """The name for each wrong answer: of a pair only the one that is to blame, where one is enough."""
    (named,) = common
    shares = {}
    for one in wrong:
        parts = [Named((m,), _only(named.fitted, m)) for m in named.mistakes]
        enough = [part for part in parts if explains(one, part)]
        shares[one.test.id] = enough[0] if len(enough) == 1 else named
    return shares


def _only(fitted: Mapping[str, float], mistake: Mistake) -> dict[str, float]:
    return {name: number for name, number in fitted.items() if name in mistake.fit}


def _simplest(wrong: list[Evidence], right: list[Evidence], last: int = FITTED_PAIR) -> list[Named]:
    """Everything of the first tier with an explanation of all the wrong answers that no right one contradicts."""
    first = wrong[0]
    for tier in range(last + 1):
        found = []
        for suspects in _suspects(first.assignment, tier):
            named = _explanation(suspects, wrong)
            if named and all(explains(one, named) for one in right):
                found.append(named)
        if found:
            return found
    return []


def _suspects(assignment: Assignment, tier: int) -> Iterator[Suspects]:
    """The mistakes, or pairs of mistakes in different steps, of one degree of simplicity."""
    fine = [m for m in assignment.mistakes if not m.precision]
    if tier in (SINGLE, HALF):
        dtype = "float32" if tier == SINGLE else "float16"
        yield from ((m,) for m in assignment.mistakes if m.precision == dtype)
    elif tier in (PLAIN, FITTED):
        yield from ((m,) for m in fine if bool(m.fit) == (tier == FITTED))
    else:
        for a, b in combinations(fine, 2):
            free = len(a.fit) + len(b.fit)
            if not set(a.replaces) & set(b.replaces) and free <= 1 and bool(free) == (tier == FITTED_PAIR):
                yield a, b


def _explanation(suspects: Suspects, wrong: list[Evidence]) -> Named | None:
    """These mistakes with a number for the free one, if they explain all the wrong answers.

    Some answers hardly depend on the number. So it is fitted again to the first answer that the last fit missed.
    """
    ranges = {name: interval for mistake in suspects for name, interval in mistake.fit.items()}
    one, fits = wrong[0], FITS if ranges else 1
    for _ in range(fits):
        if ranges and not _alike(one, suspects, ranges):
            return None
        named = Named(suspects, {name: _fitted(one, suspects, name, *ranges[name]) for name in ranges})
        missed = next((other for other in wrong if not explains(other, named)), None)
        if missed is None:
            blamable = all(coarseness.is_to_blame(m.precision, wrong) for m in suspects if m.precision)
            return named if blamable else None
        if missed is one:
            return None
        one = missed
    return None


def _alike(one: Evidence, suspects: Suspects, ranges: Mapping[str, tuple[float, float]]) -> bool:
    """Whether fitting can succeed at all: it changes neither shapes nor where there is NaN."""
    given = one.run(suspects, {name: high for name, (_, high) in ranges.items()}, "float64")
    if given is None or not same_shapes(given, one.results):
        return False
    return all(np.array_equal(np.isnan(a), np.isnan(b)) for a, b in zip(given, one.results, strict=True))


def _fitted(one: Evidence, suspects: Suspects, name: str, low: float, high: float) -> float:
    """The free number with which the mistakes come nearest to an answer."""

    def distance(number: float) -> float:
        given = one.run(suspects, {name: number}, "float64")
        if given is None or not same_shapes(given, one.results):
            return np.inf
        return sum(_distance(*pair) for pair in zip(one.results, given, strict=True))

    return fitting.minimise(distance, low, high)


def _distance(got: np.ndarray, exact: np.ndarray) -> float:
    error = bounds.errors(got, exact)
    return float(np.sum(error[np.isfinite(error)])) + 1e3 * float(np.sum(~np.isfinite(error)))


def explains(one: Evidence, named: Named) -> bool:
    """Whether the mistakes give this answer, NaN where it has NaN, and the rest within rounding."""
    coarse = next((m.precision for m in named.mistakes if m.precision), None)
    if coarse:
        return coarseness.explains(one, coarse)
    exact = one.run(named.mistakes, named.fitted, "float64")
    if exact is None or not same_shapes(exact, one.results):
        return False
    low = one.run(named.mistakes, named.fitted, "float32")
    loss = _loss(exact, low) * bounds.roundoff(one.arguments) / bounds.roundoff({"": np.zeros(1, np.float32)})
    variants = [exact, low] if one.dtype == "float32" else [exact]
    return any(
        given is not None and (one.right or not _is_right(one, given)) and _equal(one, given, loss)
        for given in variants  # one that is right itself is no reason for a wrong answer, near as it may be
    )


def _is_right(one: Evidence, given: Results) -> bool:
    return bounds.within(given, one.expected, one.allowed)


def _loss(exact: Results, low: Results | None) -> float:
    """What float32 makes of a mistake's answer: some mistakes magnify rounding more than the solution does."""
    if low is None or not same_shapes(exact, low):
        return 0.0
    gaps = [bounds.errors(*pair) for pair in zip(low, exact, strict=True)]
    return max((float(gap[np.isfinite(gap)].max(initial=0.0)) for gap in gaps), default=0.0)


def _equal(one: Evidence, given: Results, loss: float) -> bool:
    for got, exact, allowed in zip(one.results, given, one.allowed, strict=True):
        missing = np.isnan(exact)
        if not np.array_equal(np.isnan(got), missing):
            return False
        most = np.broadcast_to(
            allowed if allowed.shape == exact.shape else np.max(allowed, initial=0.0), exact.shape
        )
        blur = min(SLACK * loss, VAGUE * float(np.max(np.abs(exact), initial=0.0, where=np.isfinite(exact))))
        if not np.all(bounds.errors(got, exact)[~missing] <= most[~missing] + blur):
            return False
    return True
