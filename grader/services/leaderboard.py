"""Who is fastest, or best."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from grader.db.tables import Task, User
from grader.services import access
from grader.services.standing import Attempt, Standing, standings, students_of


@dataclass(frozen=True)
class Line:
    """One place of the leaderboard."""

    place: int
    name: str
    own: bool
    attempt: Attempt


def ranked(session: Session, actor: User, task: Task) -> list[Line]:
    """Students by speed where speed is measured, else by score; the earlier one first among equals.

    Names are what each has chosen to be called. What is held for a person to look at is not on it.
    """
    access.require(session, actor, "see-course", task.course)
    students = {one.user_id: one for one in students_of(session, task.course)}
    cells = standings(session, [task], list(students))
    best = [(user, _fastest(cell)) for (user, _), cell in cells.items()]
    in_order = sorted(((user, one) for user, one in best if one), key=lambda pair: _rank(pair[1]))
    return [
        Line(place, students[user].pseudonym or students[user].user.name, user == actor.id, attempt)
        for place, (user, attempt) in enumerate(in_order, 1)
    ]


def _fastest(cell: Standing) -> Attempt | None:
    shown = [attempt for attempt in cell.graded if not attempt.held]
    return min(shown, key=_rank) if shown else None


def _rank(attempt: Attempt) -> tuple[float, float, datetime]:
    fast = attempt.speed if attempt.speed is not None else float("inf")
    return fast, -(attempt.score or 0.0), attempt.submitted_at


def has_speed(lines: Iterable[Line]) -> bool:
    """Whether any of them was timed."""
    return any(line.attempt.speed is not None for line in lines)
