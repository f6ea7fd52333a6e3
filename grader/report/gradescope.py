"""Gradescope's results.json."""

from __future__ import annotations

from typing import Any

from grader.messages import render, title_of
from grader.models import Report, TestResult
from grader.report.words import lines, why_not_run

_VISIBLE = {"hidden": "after_published"}


def results(report: Report, lang: str) -> dict[str, Any]:
    """The document, see Gradescope's autograder specification."""
    found: dict[str, Any] = {
        "score": round(report.score, 4),
        "execution_time": round(report.seconds, 3),
        "output": "\n".join([*(render(note, lang) for note in report.notes), *why_not_run(report, lang)]),
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [_test(result, lang) for result in report.results],
    }
    board = leaderboard(report)
    if board:
        found["leaderboard"] = board
    return found


def _test(result: TestResult, lang: str) -> dict[str, Any]:
    return {
        "name": result.test.title[lang],
        "number": result.test.id,
        "score": round(result.score, 4),
        "max_score": result.test.points,
        "status": "passed" if result.passed else "failed",
        "output": "\n".join(lines(result, lang)),
        "visibility": _VISIBLE.get(result.test.group, "visible"),
        "tags": [result.test.group, *([title_of(result.named, lang)] if result.named else [])],
    }


def leaderboard(report: Report) -> list[dict[str, Any]]:
    """Speed for those whose answers were right, as multiples of pyattn's time, the least first."""
    return [
        {"name": result.test.id, "value": round(result.speed.ratio, 3), "order": "asc"}
        for result in report.results
        if result.speed and not result.speed.held
    ]
