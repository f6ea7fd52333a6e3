"""What a check looks at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from grader.evidence import Evidence
from grader.models import Function, Outcome


@dataclass(frozen=True)
class Seen:
    """A call that gave results: with the entry point's declaration, the inputs, and what was measured."""

    function: Function
    evidence: Evidence
    outcome: Outcome

    def named(self) -> Iterator[tuple[str, np.ndarray, np.ndarray, np.ndarray]]:
        """Name, result, exact result and allowed error of everything returned."""
        e = self.evidence
        yield from zip(self.function.results, e.results, e.expected, e.allowed, strict=True)
