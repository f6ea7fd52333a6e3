"""Fills `shapes` from what the services say."""

from __future__ import annotations

from typing import Any

from flask import url_for
from sqlalchemy.orm import Session

from grader.db import tables
from grader.services import reports, shelf, submitting
from grader.services.matrix import Cell
from grader.services.standing import Standing
from grader.web.languages import language

Answer = dict[str, Any]


def course(found: tables.Course, role: tables.Role | None) -> Answer:
    """A course, and what one is in it."""
    return {"slug": found.slug, "title": found.title, "zone": found.zone, "role": role and role.value}


def assignment(task: tables.Task, own: Standing) -> Answer:
    """A task, and where one stands in it."""
    known = shelf.assignments().get(task.slug)
    return {
        "slug": task.slug, "title": shelf.title(task.slug, language()), "tracks": list(known.tracks) if known else [],
        "opens_at": own.terms.opens_at, "due_at": own.terms.due_at, "closes_at": own.terms.closes_at,
        "late_percent": own.terms.late_percent, "attempts": own.terms.attempts or None, "attempts_left": own.left,
        "counts": task.counts, "score": own.score, "max_score": shelf.points(task.slug),
    }  # fmt: skip


def submission(session: Session, found: tables.Submission) -> Answer:
    """A submission with the run that counts."""
    run = submitting.counting_run(session, found)
    terms = submitting.terms_for(session, found.user, found.task)
    final = found.kind is tables.Kind.FINAL
    share = terms.share(found.submitted_at) if final else 1.0
    progress = reports.progress(session, run)
    return {
        "id": found.id, "course": found.task.course.slug, "assignment": found.task.slug, "student": found.user.login,
        "kind": found.kind.value, "attempt": found.number, "track": found.track, "submitted_at": found.submitted_at,
        "late_days": terms.late_days(found.submitted_at) if final else 0, "state": progress.state.value,
        "score": None if run.score is None else run.score * share, "raw_score": run.score, "max_score": run.max_score,
        "progress": progress, "url": url_for("submissions.show", id=found.id),
    }  # fmt: skip


def score(task: tables.Task, own: Standing | Cell) -> Answer:
    """What counts of one student in one task."""
    return {
        "assignment": task.slug, "score": own.score, "max_score": shelf.points(task.slug),
        "submission": own.counting and own.counting.id, "attempts_used": own.used,
    }  # fmt: skip
