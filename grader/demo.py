"""Two submissions of the kind that students hand in, one right and one wrong, graded before your eyes."""

from __future__ import annotations

from rich.console import Console

from grader import catalogue, grading
from grader.report import text
from grader.submission import choose

SLUG = "scaled-dot-product"
WRONG = b"""
import numpy as np


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
"""


def right() -> bytes:
    """The same with what it lacks."""
    return WRONG.replace(b"np.swapaxes(k, -1, -2)", b"np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])")


def show(lang: str = "en") -> bool:
    """Grade both and print their reports; return whether the marks are as they must be.

    Raises
    ------
    SandboxUnavailable
        There is no safe way to run a student's code here.
    """
    assignment, console = catalogue.load(SLUG), Console(highlight=False)
    scores = []
    for source in (right(), WRONG):
        report = grading.grade(choose({"submission.py": source}, assignment, "numpy"), assignment)
        text.show(report, lang, console)
        console.print()
        scores.append(report.score)
    return scores[0] == sum(test.points for test in assignment.tests) > scores[1]
