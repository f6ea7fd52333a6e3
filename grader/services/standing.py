"""Where someone stands: every attempt with its score and lateness. `matrix` has what counts of a whole class."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session, contains_eager

from grader.db.tables import (
    Course,
    Enrolment,
    Extension,
    Kind,
    Role,
    Run,
    RunState,
    Submission,
    Task,
    User,
)
from grader.services import rules
from grader.services.rules import Terms


class Attempt(NamedTuple):
    """One submission with what it counts for. A tuple, as a class has tens of thousands of them."""

    id: int
    number: int
    submitted_at: datetime
    state: RunState
    raw: float | None  # as graded
    max_score: float | None
    late_days: int
    share: float
    run: int
    speed: float | None = None
    speed_low: float | None = None
    speed_high: float | None = None
    held: bool = False

    @property
    def score(self) -> float | None:
        """With what lateness takes off."""
        return None if self.raw is None else self.raw * self.share


@dataclass
class Standing:
    """One student in one task. Complete when the first question is asked: answers are kept."""

    terms: Terms
    counts: str = "best"
    attempts: list[Attempt] = field(default_factory=list)

    @cached_property
    def graded(self) -> list[Attempt]:
        """Those with a score, in order."""
        return [attempt for attempt in self.attempts if attempt.score is not None]

    @cached_property
    def counting(self) -> Attempt | None:
        """The one whose score counts."""
        if not self.graded:
            return None
        if self.counts == "latest":
            return self.graded[-1]
        return max(self.graded, key=lambda attempt: attempt.score or 0.0)

    @property
    def score(self) -> float | None:
        """The score that counts."""
        return None if self.counting is None else self.counting.score

    @property
    def waiting(self) -> bool:
        """Whether something is still to be graded."""
        return any(not attempt.state.final for attempt in self.attempts)

    @property
    def used(self) -> int:
        """How many attempts are used."""
        return sum(rules.uses_attempt(attempt.state) for attempt in self.attempts)

    @property
    def left(self) -> int | None:
        """How many are left; None when there is no end of them."""
        return self.terms.left(self.used)


def standing(session: Session, user: User, task: Task) -> Standing:
    """One student's standing in one task."""
    return standings(session, [task], [user.id])[user.id, task.id]


def row_of(session: Session, user_id: int, tasks: Sequence[Task]) -> list[tuple[Task, Standing]]:
    """One student's standing in each of these tasks."""
    cells = standings(session, tasks, [user_id])
    return [(task, cells[user_id, task.id]) for task in tasks]


def standings(
    session: Session, tasks: Sequence[Task], users: Sequence[int]
) -> dict[tuple[int, int], Standing]:
    """The standing of every one of these users in every one of these tasks, by (user, task)."""
    by_id = {task.id: task for task in tasks}
    given = select(Extension).where(Extension.task_id.in_(by_id))
    extensions = {(one.user_id, one.task_id): one for one in session.scalars(given)}
    found = {
        (user, task.id): Standing(rules.terms(task, extensions.get((user, task.id))), task.counts)
        for user in users
        for task in tasks
    }
    for user, task_id, *columns in session.execute(_attempts(by_id, users)):
        if (user, task_id) in found:
            own = found[user, task_id]
            own.attempts.append(_attempt(own.terms, *columns))
    return found


def _attempts(tasks: Iterable[int], users: Sequence[int]) -> Any:
    asked = (
        select(
            Submission.user_id, Submission.task_id, Submission.id, Submission.number, Submission.submitted_at,
            Run.state, Run.score, Run.max_score, Run.id, Run.speed, Run.speed_low, Run.speed_high, Run.held,
        )
        .join(Run, (Run.submission_id == Submission.id) & Run.counts)
        .where(Submission.task_id.in_(tasks), Submission.kind == Kind.FINAL)
        .order_by(Submission.submitted_at, Submission.id)
    )  # fmt: skip
    return asked.where(Submission.user_id == users[0]) if len(users) == 1 else asked


def _attempt(terms: Terms, id, number, at, state, raw, max_score, run, *speed) -> Attempt:  # type: ignore[no-untyped-def]
    return Attempt(id, number, at, state, raw, max_score, terms.late_days(at), terms.share(at), run, *speed)


# ---- The class ----


def students_of(session: Session, course: Course) -> list[Enrolment]:
    """The students, by number and name."""
    asked = (
        select(Enrolment).join(Enrolment.user).options(contains_eager(Enrolment.user))
        .where(Enrolment.course_id == course.id, Enrolment.active)
        .where(Enrolment.role == Role.STUDENT).order_by(Enrolment.number, User.name)
    )  # fmt: skip
    return list(session.scalars(asked))
