"""Puts a report into the database."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from grader import grading
from grader.db.clock import instant
from grader.db.tables import Picture, ReportText, Result, Run, RunState
from grader.fields import LANGUAGES
from grader.models import Report
from grader.report import pictures
from grader.report.record import record

_MOST_PICTURES = 3


@dataclass(frozen=True)
class Told:
    """A report in every language and with its pictures, made before the transaction begins."""

    report: Report
    records: dict[str, dict[str, Any]]
    pictures: dict[str, bytes]


def tell(report: Report) -> Told:
    """All that is kept of a report."""
    return Told(report, {lang: record(report, lang) for lang in LANGUAGES}, dict(_pictures(report)))


def _pictures(report: Report) -> Iterator[tuple[str, bytes]]:
    """Pictures of the first wrong results. More would tell the same, and somebody waits for them."""
    wrong = ((result, grading.evidence_of(report, result)) for result in report.results if result.findings)
    seen = itertools.islice(((result, evidence) for result, evidence in wrong if evidence), _MOST_PICTURES)
    with tempfile.TemporaryDirectory(prefix="grader-pictures-") as folder:
        for result, evidence in seen:
            if path := pictures.draw(evidence, Path(folder) / "picture.png"):
                yield result.test.id, path.read_bytes()


def store(session: Session, run_id: int, told: Told) -> None:
    """Write it, and make the run graded."""
    report = told.report
    run = session.get_one(Run, run_id)
    run.state, run.finished_at, run.fault = RunState.GRADED, instant(session), None
    run.score, run.max_score = round(report.score, 6), report.max_score
    run.version, run.level = report.assignment.version, report.level
    _store_speed(run, report)
    session.add_all(_results(run_id, report))
    session.add_all(
        ReportText(run_id=run_id, language=lang, record=text) for lang, text in told.records.items()
    )
    session.add_all(Picture(run_id=run_id, test=test, png=png) for test, png in told.pictures.items())


def _store_speed(run: Run, report: Report) -> None:
    """The slowest of the timed tests stands for the run: who is fast must be so everywhere."""
    speeds = [result.speed for result in report.results if result.speed]
    timed = [result for result in report.results if "speed" in result.test.checks]
    run.held = any(speed.held for speed in speeds)
    if speeds and len(speeds) == len(timed):
        worst = max(speeds, key=lambda speed: speed.ratio)
        run.speed, run.speed_low, run.speed_high = worst.ratio, worst.low, worst.high


def _results(run_id: int, report: Report) -> Iterator[Result]:
    for position, result in enumerate(report.results):
        codes = [mistake.code for mistake in result.named.mistakes] if result.named else []
        yield Result(
            run_id=run_id, position=position, test=result.test.id, passed=result.passed, score=result.score,
            max_score=result.test.points, mistakes="+".join(codes),
        )  # fmt: skip
