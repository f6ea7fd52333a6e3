"""Who may do what: one table, and the ways to find a thing that is one's to see.

What someone may not even see is "not found"; what he sees and may not do is "not allowed".
"""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session, contains_eager, joinedload

from grader.db.tables import Course, Enrolment, Regrade, Role, Run, Submission, Task, User
from grader.services.refusals import Refused, existing

_RANK = {Role.STUDENT: 1, Role.ASSISTANT: 2, Role.TEACHER: 3}

# What is done in a course → who may do it, at least. An administrator may do everything in every course.
LEAST: dict[str, Role] = {
    "see-course": Role.STUDENT,
    "submit": Role.STUDENT,
    "see-class": Role.ASSISTANT,
    "see-code": Role.ASSISTANT,
    "see-unopened": Role.ASSISTANT,
    "extend": Role.ASSISTANT,
    "export": Role.TEACHER,
    "regrade": Role.TEACHER,
    "retry-jobs": Role.TEACHER,
    "edit-course": Role.TEACHER,
    "manage-people": Role.TEACHER,
    "see-audit": Role.TEACHER,
}


KNOWN_ROLES = "known-roles"  # in the `info` of a session in which nothing changes: roles are asked for once


def role_in(session: Session, actor: User, course: Course) -> Role | None:
    """What someone is in a course; an administrator counts as a teacher everywhere."""
    if actor.admin:
        return Role.TEACHER
    known: dict[tuple[int, int], Role | None] = session.info.get(KNOWN_ROLES, {})
    if (course.id, actor.id) not in known:
        own = select(Enrolment.role).where(
            Enrolment.course_id == course.id, Enrolment.user_id == actor.id, Enrolment.active
        )
        known[course.id, actor.id] = session.scalar(own)
    return known[course.id, actor.id]


def may(session: Session, actor: User, act: str, course: Course) -> bool:
    """Whether someone may do something in a course."""
    return actor.active and suffices(role_in(session, actor, course), act)


def suffices(role: Role | None, act: str) -> bool:
    """Whether who is this in a course may do something there."""
    return role is not None and _RANK[role] >= _RANK[LEAST[act]]


def require(session: Session, actor: User, act: str, course: Course) -> Role:
    """Raise `Refused` unless someone may do something in a course; tell what he is there."""
    role = role_in(session, actor, course) if actor.active else None
    if role is None:
        raise Refused("not-found")
    if not suffices(role, act):
        raise Refused("not-allowed")
    return role


def require_admin(actor: User) -> None:
    """Raise `Refused` unless someone is an administrator."""
    if not (actor.admin and actor.active):
        raise Refused("not-allowed")


def course_for(session: Session, actor: User, slug: str, act: str = "see-course") -> Course:
    """The course of a name, for someone who wants to do something there."""
    course = existing(session.scalar(select(Course).where(Course.slug == slug)))
    require(session, actor, act, course)
    return course


def task_for(session: Session, actor: User, course_slug: str, slug: str, act: str = "see-course") -> Task:
    """An assignment of a course, for someone who wants to do something there."""
    asked = select(Task).join(Task.course).where(Course.slug == course_slug, Task.slug == slug)
    found = session.scalar(asked.options(contains_eager(Task.course)))
    if found is None:  # whoever sees the course sees which ones it has
        course = course_for(session, actor, course_slug, act)
        known = session.scalars(select(Task.slug).where(Task.course_id == course.id).order_by(Task.id))
        raise Refused("no-such-task", slug=slug[:50], known=", ".join(known))
    require(session, actor, act, found.course)
    return found


def submission_for(session: Session, actor: User, submission_id: int) -> Submission:
    """A submission: one's own, or one of a course whose code one may see."""
    whole = joinedload(Submission.task).joinedload(Task.course)  # one question in place of three
    submission = existing(session.get(Submission, submission_id, options=[whole]))
    course = submission.task.course
    own = submission.user_id == actor.id and may(session, actor, "see-course", course)
    if not own and not may(session, actor, "see-code", course):
        raise Refused("not-found")
    return submission


def run_for(session: Session, actor: User, run_id: int) -> Run:
    """A run of a submission that one may see; one that does not count (yet) is for teachers only."""
    run = existing(session.get(Run, run_id))
    submission = submission_for(session, actor, run.submission_id)
    if not run.counts and not may(session, actor, "see-code", submission.task.course):
        raise Refused("not-found")
    return run


def regrade_for(session: Session, actor: User, regrade_id: int) -> Regrade:
    """A regrade, for someone who may regrade."""
    regrade = existing(session.get(Regrade, regrade_id))
    require(session, actor, "regrade", regrade.task.course)
    return regrade


def member_for(session: Session, actor: User, course: Course, user_id: int, act: str) -> Enrolment:
    """Someone's place in a course, for someone who wants to do something about it."""
    require(session, actor, act, course)
    asked = select(Enrolment).where(Enrolment.course_id == course.id, Enrolment.user_id == user_id)
    return existing(session.scalar(asked))
