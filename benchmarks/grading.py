"""How steady the grader's ratios are: one program, graded again and again, and how far its ratios lie apart.

    python benchmarks/grading.py                          # the C++ starter, ten times
    python benchmarks/grading.py my.cpp --runs 20 --within 3

Exits with 1 when a ratio of any test of speed is further from the middle one than asked for.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from dataclasses import replace
from pathlib import Path

from grader import catalogue, grading
from grader.models import Assignment
from grader.submission import Submission, read_submission


def main() -> None:
    """Grade, print a row for each test of speed, judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "program", nargs="?", type=Path, help="a submission for fast-attention; its starter by default"
    )
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--within", type=float, default=5.0, metavar="PERCENT")
    parser.add_argument(
        "--only", default="", metavar="PATTERN", help="tests of speed whose name has this in it"
    )
    asked = parser.parse_args()
    assignment = _of_speed(catalogue.load("fast-attention"), asked.only)
    submission = read_submission(asked.program or assignment.folder / "starter.cpp", assignment)
    ratios = _ratios(submission, assignment, asked.runs)
    worst = max(_row(name, found, asked.within) for name, found in ratios.items())
    sys.exit(worst > asked.within)


def _of_speed(assignment: Assignment, pattern: str) -> Assignment:
    tests = tuple(test for test in assignment.tests if "speed" in test.checks and pattern in test.id)
    if not tests:
        sys.exit(f"--only {pattern}: no test of speed is called so")
    return replace(assignment, tests=tests)


def _ratios(submission: Submission, assignment: Assignment, runs: int) -> dict[str, list[float]]:
    """Test → its ratio in every run; each run compiles and starts anew, as a submission handed in again."""
    ratios: dict[str, list[float]] = {test.id: [] for test in assignment.tests}
    for _ in range(runs):
        for result in grading.grade(submission, assignment).results:
            if result.speed is None:
                sys.exit(f"{result.test.id}: not timed: {result.findings}")
            ratios[result.test.id].append(result.speed.ratio)
    return ratios


def _row(name: str, ratios: list[float], within: float) -> float:
    """Print one test's ratios; the largest distance from the middle one, in per cent."""
    middle = statistics.median(ratios)
    furthest = max(abs(ratio / middle - 1) for ratio in ratios) * 100
    verdict = "steady" if furthest <= within else "UNSTEADY"
    print(
        f"{name:<14} {middle:8.3f} ± {furthest:4.1f} %  {verdict:<9}", *(f"{ratio:.3f}" for ratio in ratios)
    )
    return furthest


if __name__ == "__main__":
    main()
