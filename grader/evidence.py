"""What one test of a run gave, beside what the solution and its mistakes give on the same inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grader import bounds, solutions
from grader.models import Assignment, Mistake, Test, Value

Results = tuple[np.ndarray, ...]
Suspects = tuple[Mistake, ...]


def same_shapes(given: Results, results: Results) -> bool:
    """Whether two answers have as many arrays, of the same shapes."""
    return len(given) == len(results) and all(a.shape == b.shape for a, b in zip(given, results, strict=True))


@dataclass(frozen=True)
class Evidence:
    """What one test of a run gave: its inputs and the arrays that came back."""

    assignment: Assignment
    test: Test
    arguments: Mapping[str, Value]
    results: Results
    known: Results | None = None  # the right answer, where somebody has it already

    @cached_property
    def expected(self) -> Results:
        """The right answer."""
        return self.known or solutions.expected(self.assignment, self.test, self.arguments)

    @cached_property
    def allowed(self) -> Results:
        """How far a right answer may be from it."""
        return bounds.of(self.test.bound, self.arguments, self.expected)

    @cached_property
    def right(self) -> bool:
        """Whether the answer is right."""
        return bounds.within(self.results, self.expected, self.allowed)

    @cached_property
    def dtype(self) -> str:
        """The coarsest dtype among the inputs: what a student computes in."""
        return "float32" if bounds.roundoff(self.arguments) > 1e-12 else "float64"

    @property
    def size(self) -> int:
        """The work of a run, roughly: what is small is tried first."""
        return sum(result.size for result in self.expected)

    @cached_property
    def _runs(self) -> dict[tuple[object, ...], Results | None]:
        return {}

    def run(self, suspects: Suspects, numbers: Mapping[str, float], dtype: str) -> Results | None:
        """What the solution with these mistakes gives on the same inputs."""
        key = (dtype, *(mistake.code for mistake in suspects))
        if numbers or key not in self._runs:
            self._runs[key] = solutions.evaluate(
                self.assignment, self.test, self.arguments, suspects, numbers, dtype
            )
        return self._runs[key]
