"""A class as a matrix: what counts of every student in every task.

A large class has tens of thousands of submissions. They pass through here one by one, and nothing is kept of most;
`standing` has everything of a few.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from grader.db.tables import Course, Enrolment, Extension, Kind, Run, Submission, Task
from grader.services import rules
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
    students = students_of(session, course)
    cells = {(student.user_id, task.id): Cell() for student in students for task in tasks}
    by_id, late = {task.id: task for task in tasks}, _Lateness(session, tasks)
    for user, task, id, at, state, raw, most in _counting_runs(session, list(by_id)):
        cell = cells.get((user, task))
        if cell is None:  # a teacher's, or of someone who has left
            continue
        cell.used += rules.uses_attempt(state)
        cell.waiting = cell.waiting or not state.final
        if raw is None:
            continue
        score = raw * late.share(user, task, at)
        if cell.counting is None or by_id[task].counts == "latest" or score > cell.counting.score:
            cell.counting = Counting(id, score, most)
    return Matrix(list(tasks), students, cells)


def _counting_runs(session: Session, tasks: Sequence[int]) -> Iterator[Any]:
    asked = (
        select(
            Submission.user_id, Submission.task_id, Submission.id, Submission.submitted_at,
            Run.state, Run.score, Run.max_score,
        )
        .join(Run, (Run.submission_id == Submission.id) & Run.counts)
        .where(Submission.task_id.in_(tasks), Submission.kind == Kind.FINAL)
        .order_by(Submission.submitted_at, Submission.id)
    )  # fmt: skip
    return iter(session.execute(asked))


class _Lateness:
    """What lateness leaves of points; most tasks and most students have nothing to reckon."""

    def __init__(self, session: Session, tasks: Sequence[Task]) -> None:
        self._tasks = {task.id: task for task in tasks if task.due_at is not None and task.late_percent}
        given = session.scalars(select(Extension).where(Extension.task_id.in_(self._tasks)))
        self._extensions = {(one.user_id, one.task_id): one for one in given}

    def share(self, user: int, task: int, at: datetime) -> float:
        """What part of its points something is worth that came at an instant."""
        given = self._tasks.get(task)
        if given is None or given.due_at is None or at <= given.due_at:  # an extension is never earlier
            return 1.0
        return rules.terms(given, self._extensions.get((user, task))).share(at)
