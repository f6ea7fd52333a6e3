"""Numbers of a message that differ, shown with as many digits as tell them apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

# In a message with both, a reader compares the two.
PAIRS = (("got", "expected"), ("got", "limit"), ("ratio", "target"), ("error", "bound"))
_MOST_DIGITS = 17  # tell any two float64 apart
_SPEC = re.compile(r"\.(\d+)([fg])")


class Apart(float):
    """A number that is formatted so that another one looks different, if it is."""

    other = 0.0

    def __format__(self, spec: str) -> str:
        for finer in _finer(spec):
            shown = format(float(self), finer)
            if shown != format(self.other, finer):
                return shown
        return format(float(self), spec)


def _finer(spec: str) -> Iterator[str]:
    if match := _SPEC.fullmatch(spec):
        yield from (f".{digits}{match[2]}" for digits in range(int(match[1]), _MOST_DIGITS + 1))


def told_apart(params: Mapping[str, object]) -> dict[str, object]:
    """The fields of a message, with the floats that a reader compares as `Apart`."""
    found = dict(params)
    for one, two in PAIRS:
        if isinstance(params.get(one), float) and isinstance(params.get(two), float):
            found[one], found[two] = _pair(params[one], params[two])  # type: ignore[arg-type]
    return found


def _pair(one: float, two: float) -> tuple[Apart, Apart]:
    first, second = Apart(one), Apart(two)
    first.other, second.other = two, one
    return first, second
