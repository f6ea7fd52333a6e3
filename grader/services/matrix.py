"""A class as a matrix: what counts of every student in every task.

A large class has tens of thousands of submissions. They pass through here one by one, and nothing is kept of most;
`standing` has everything of a few.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, case, select
from sqlalchemy.orm import Session

from grader.db.tables import Course, Enrolment, Extension, Kind, Run, RunState, Submission, Task
from grader.services import rules
from grader.services.rules import Terms
from grader.services.standing import students_of


class Counting(NamedTuple):
    """The submission whose score counts, and that score, with what lateness takes off."""

    id: int
    score: float
    max_score: float | None


@dataclass(slots=True)
class Cell:
    """One student in one task."""

    counting: Counting | None = None
    used: int = 0  # attempts
    waiting: bool = False  # for something to be graded

    @property
    def score(self) -> float | None:
        """The score that counts."""
        return None if self.counting is None else self.counting.score


@dataclass(frozen=True)
class Matrix:
    """Students × tasks."""

    tasks: list[Task]
    students: list[Enrolment]
    cells: dict[tuple[int, int], Cell]

    def row(self, student: Enrolment) -> list[Cell]:
        """One student in every task."""
        return [self.cells[student.user_id, task.id] for task in self.tasks]

    def total(self, student: Enrolment) -> float:
        """The sum of what counts."""
        return sum(cell.score or 0.0 for cell in self.row(student))

    def mean(self, task: Task) -> float | None:
        """Over those who have a score."""
        cells = (self.cells[student.user_id, task.id] for student in self.students)
        scores = [cell.score for cell in cells if cell.score is not None]
        return sum(scores) / len(scores) if scores else None


def matrix(session: Session, course: Course, tasks: Sequence[Task]) -> Matrix:
    """The whole class. Whoever calls this has asked `access` for "see-class"."""
    students, late = students_of(session, course), _Lateness(session, tasks)
    cells = {(student.user_id, task.id): Cell() for student in students for task in tasks}
    latest = {task.id for task in tasks if task.counts == "latest"}
    for user, task, id, late_at, state, raw, most in _attempts(session, [task.id for task in tasks]):
        cell = cells.get((user, task))
        if cell is None:  # a teacher's, or of someone who has left
            continue
        if state is not RunState.GRADED:
            cell.used += rules.uses_attempt(state)
            cell.waiting = cell.waiting or not state.final
            continue
        cell.used += 1
        score = raw if late_at is None else raw * late.share(user, task, late_at)
        if cell.counting is None or task in latest or score > cell.counting.score:
            cell.counting = Counting(id, score, most)
    return Matrix(list(tasks), students, cells)


def _attempts(session: Session, tasks: Sequence[int]) -> Sequence[Any]:
    """What there is to know of each, and when it came if that was after the task's date and costs points."""
    late = and_(Task.late_percent > 0, Submission.submitted_at > Task.due_at)
    asked = (
        select(
            Submission.user_id, Submission.task_id, Submission.id, case((late, Submission.submitted_at)),
            Run.state, Run.score, Run.max_score,
        )
        .join(Run, (Run.submission_id == Submission.id) & Run.counts).join(Submission.task)
        .where(Submission.task_id.in_(tasks), Submission.kind == Kind.FINAL)
        .order_by(Submission.submitted_at, Submission.id)
    )  # fmt: skip
    return session.connection().execute(asked).all()  # past the ORM, which has nothing to do here


class _Lateness:
    """What lateness leaves of points."""

    def __init__(self, session: Session, tasks: Sequence[Task]) -> None:
        self._tasks = {task.id: task for task in tasks}
        given = session.scalars(select(Extension).where(Extension.task_id.in_(self._tasks)))
        self._extensions = {(one.user_id, one.task_id): one for one in given}
        self._terms: dict[tuple[int, int], Terms] = {}

    def share(self, user: int, task: int, at: datetime) -> float:
        """What part of its points something is worth that came at an instant."""
        found = self._terms.get((user, task))
        if found is None:
            found = rules.terms(self._tasks[task], self._extensions.get((user, task)))
            self._terms[user, task] = found
        return found.share(at)
