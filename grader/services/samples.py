"""A course to look at: people and what they hand in, made of the catalogue's solutions and known mistakes."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from grader.db.clock import now
from grader.db.tables import Course, Role, Task, User
from grader.models import Assignment
from grader.services import accounts, courses, rules, shelf, submitting
from grader.settings import Settings

SLUG = "attention"
STUDENTS = {
    "lilei": "李雷",
    "hanmeimei": "韩梅梅",
    "ada": "Ada Schmidt",
    "noor": "Noor Haddad",
    "wang": "王芳",
}
_MOST_TASKS = 3  # with submissions: the first ones of the course


@dataclass(frozen=True)
class Account:
    """Someone who may log in, and how."""

    login: str
    name: str
    password: str


def make_course(session: Session, settings: Settings) -> list[Account]:
    """Make the course, its people and their submissions, queued; nothing when it is there already."""
    if session.scalar(select(Course.id).where(Course.slug == SLUG)):
        return []
    course = courses.create(session, None, SLUG, "Attention, step by step · 注意力机制", "Asia/Shanghai")
    people = {"teacher": "Prof. Chen 陈老师", **STUDENTS}
    found = [Account(login, name, secrets.token_urlsafe(9)) for login, name in people.items()]
    for one in found:
        user = accounts.create(session, one.login, one.name, one.password, admin=one.login == "teacher")
        courses.enrol(session, user, course, Role.STUDENT if one.login in STUDENTS else Role.TEACHER)
    for week, task in enumerate(courses.tasks(session, course), 1):
        task.due_at, task.late_percent, task.late_days = now() + week * timedelta(days=7), 10.0, 3
        if week <= _MOST_TASKS:
            _hand_in(session, task, settings)
    return found


def _hand_in(session: Session, task: Task, settings: Settings) -> None:
    """Every student hands in what he has: one of the known mistakes, and some of them the solution later."""
    at = now() - rules.DAY
    for place, login in enumerate(STUDENTS):
        user = session.scalars(select(User).where(User.login == login)).one()
        for step, source in enumerate(_sources(shelf.assignment(task.slug), place)):
            upload = submitting.read_upload([("submission.py", source.encode())])
            came = at + timedelta(hours=3 * step + place)
            submitting.submit(session, user, task, upload, came, settings, track="numpy")


def _sources(assignment: Assignment, place: int) -> Iterator[str]:
    """A solution whose steps a mistake's file replaces, as Python does it: what is defined later counts."""
    solution = (assignment.folder / "solution.py").read_text(encoding="utf-8")
    mistake = assignment.mistakes[place % len(assignment.mistakes)]
    yield f"{solution}\n\n{mistake.source.read_text(encoding='utf-8')}"
    if place % 2:
        yield solution
