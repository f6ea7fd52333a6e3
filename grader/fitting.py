"""The number that makes a distance smallest."""

from __future__ import annotations

import math
from collections.abc import Callable

GRID = 24
STEPS = 60
TRIED, SHRUNK = 20, 0.01  # after so many steps the distance must be this part of the first one
GOLDEN = (math.sqrt(5) - 1) / 2


def minimise(distance: Callable[[float], float], low: float, high: float) -> float:
    """Where `distance` is smallest between two numbers of the same sign.

    Looks on a grid of logarithms first, as eps and fill values are unknown in their order of magnitude, then narrows
    the neighbourhood of the best point by golden sections.
    """
    sign = math.copysign(1.0, low)
    ends = sorted((math.log(abs(low)), math.log(abs(high))))

    def at(logarithm: float) -> float:
        return distance(sign * math.exp(logarithm))

    step = (ends[1] - ends[0]) / GRID
    best = min((ends[0] + i * step for i in range(GRID + 1)), key=at)
    return sign * math.exp(_golden(at, max(best - step, ends[0]), min(best + step, ends[1])))


def _golden(at: Callable[[float], float], low: float, high: float) -> float:
    """The middle of what golden sections leave of an interval.

    Distances shrink with the interval where the number is what is looked for. Where they have not after some steps,
    something else is wrong, or rounding hides the rest: more steps would find nothing.
    """
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = at(left), at(right)
    hopeless = SHRUNK * max(at_left, at_right)
    for step in range(STEPS):
        if step == TRIED and min(at_left, at_right) > hopeless:
            break
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = at(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = at(right)
    return (low + high) / 2
