"""More time or more attempts for one student."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from grader.db.tables import Extension, Task, User
from grader.services import access, audit, courses
from grader.services.refusals import Refused, existing, require_within


def extend(
    session: Session, actor: User, task: Task, student: User, due_at: datetime | None, attempts: int, reason: str
) -> Extension | None:  # fmt: skip
    """Give one student more time or more attempts; what was given before is replaced, by nothing when nothing is given.

    Raises
    ------
    Refused
        It would change nothing: the student must not be told of an extension that is none.
    """
    access.require(session, actor, "extend", task.course)
    existing(courses.place_of(session, student, task.course))
    require_within("attempts", attempts, 0, 1000)
    own = select(Extension).where(Extension.task_id == task.id, Extension.user_id == student.id)
    before = session.scalar(own)
    target = f"{task.slug} {student.login}"
    audit.note(session, actor, "extension", target, task.course, due=due_at, attempts=attempts)
    if before and not (due_at or attempts):
        session.delete(before)
        return None
    _require_use(task, due_at, attempts)
    extension = before or Extension(task_id=task.id, user_id=student.id)
    extension.due_at, extension.attempts, extension.reason = due_at, attempts, reason.strip()[:500]
    session.add(extension)
    return extension


def _require_use(task: Task, due_at: datetime | None, attempts: int) -> None:
    if due_at and task.due_at is None:
        raise Refused("extension-no-due")
    if due_at and task.due_at and due_at <= task.due_at:
        raise Refused("extension-early", at=task.due_at, zone=task.course.zone)
    if not due_at and not (attempts and task.attempts):  # attempts without a limit are never missing
        raise Refused("extension-nothing")


def extensions(session: Session, actor: User, task: Task) -> list[Extension]:
    """Who was given more."""
    access.require(session, actor, "extend", task.course)
    return list(session.scalars(select(Extension).where(Extension.task_id == task.id)))
