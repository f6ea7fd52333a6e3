"""Courses, who is in them, and their tasks."""

from __future__ import annotations

import re
import secrets as random
from datetime import datetime
from zoneinfo import ZoneInfo

from sqlalchemy import func, select
from sqlalchemy.orm import Session, joinedload

from grader.db.tables import Course, Enrolment, Role, Task, User
from grader.services import access, accounts, audit, numbers, shelf
from grader.services.refusals import Refused, existing, require_within
from grader.services.secrets import new_join_code

_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{1,39}")
_BIRDS = (
    "Avocet", "Bittern", "Bunting", "Crane", "Curlew", "Dipper", "Dunlin", "Egret", "Fieldfare", "Finch", "Goldcrest",
    "Grebe", "Heron", "Hoopoe", "Ibis", "Kestrel", "Kingfisher", "Lapwing", "Lark", "Linnet", "Martin", "Nuthatch",
    "Oriole", "Osprey", "Pipit", "Plover", "Redwing", "Robin", "Siskin", "Snipe", "Starling", "Stork", "Swift", "Tern",
    "Thrush", "Wagtail", "Warbler", "Waxwing", "Wheatear", "Wren",
)  # fmt: skip
COUNTS = ("best", "latest")


def create(session: Session, actor: User | None, slug: str, title: str, zone: str) -> Course:
    """Make a course with every assignment of the catalogue, without dates. `actor` None: at the command line."""
    if actor is not None:
        access.require_admin(actor)
    if not _SLUG.fullmatch(slug):
        raise Refused("bad-slug", slug=slug[:50])
    if session.scalar(select(Course.id).where(Course.slug == slug)):
        raise Refused("course-taken", slug=slug)
    course = Course(
        slug=slug, title=accounts.clean_name(title), zone=clean_zone(zone), join_code=new_join_code()
    )
    session.add(course)
    session.flush()
    session.add_all(Task(course_id=course.id, slug=slug) for slug in shelf.assignments())
    audit.note(session, actor, "course made", slug, course)
    return course


def clean_zone(zone: str) -> str:
    """The name of a time zone that there is."""
    try:
        return ZoneInfo(zone.strip()).key
    except (KeyError, ValueError, OSError):  # whatever the text was: a path, a folder
        raise Refused("bad-zone", zone=zone[:60]) from None


def all_courses(session: Session) -> list[Course]:
    """Every course, the newest first."""
    return list(session.scalars(select(Course).order_by(Course.id.desc())))


def places_of(session: Session, user: User) -> list[Enrolment]:
    """The courses that someone is in."""
    own = select(Enrolment).where(Enrolment.user_id == user.id, Enrolment.active)
    return list(session.scalars(own.order_by(Enrolment.id.desc())))


def was_anywhere(session: Session, user: User) -> bool:
    """Whether someone is in a course, or was."""
    return session.scalar(select(Enrolment.id).where(Enrolment.user_id == user.id).limit(1)) is not None


# ---- People ----


def by_join_code(session: Session, code: str) -> Course:
    """The course that a code opens."""
    plain = code.strip().upper().replace("-", "").replace(" ", "")
    course = session.scalar(select(Course).where(Course.join_code == plain, Course.join_open))
    if course is None:
        raise Refused("bad-join-code", code=code[:20])
    return course


def join(session: Session, user: User, code: str, number: str = "") -> Enrolment:
    """Come into a course by its code, as a student."""
    course = by_join_code(session, code)
    if place_of(session, user, course):
        raise Refused("already-in-course")
    return enrol(session, user, course, Role.STUDENT, number)


def enrol(session: Session, user: User, course: Course, role: Role, number: str = "") -> Enrolment:
    """Put someone into a course; someone who is there already stays what he is."""
    place = place_of(session, user, course)
    if place is None:
        place = Enrolment(role=role, number=numbers.clean(number), pseudonym=new_pseudonym(), active=True)
        place.course, place.user = course, user
        session.add(place)
        session.flush()
        if numbers.holder(session, place):
            raise Refused("number-taken", number=place.number)
    return place


def new_pseudonym() -> str:
    """What stands on the leaderboard until one chooses otherwise."""
    return f"{random.choice(_BIRDS)} {random.randbelow(900) + 100}"


def place_of(session: Session, user: User, course: Course) -> Enrolment | None:
    """What someone is in a course, also if no longer active."""
    own = select(Enrolment).where(Enrolment.user_id == user.id, Enrolment.course_id == course.id)
    return session.scalar(own)


def members(session: Session, actor: User, course: Course) -> list[Enrolment]:
    """Everyone in a course: teachers first, then by name."""
    access.require(session, actor, "see-class", course)
    asked = select(Enrolment).where(Enrolment.course_id == course.id).options(joinedload(Enrolment.user))
    order = {Role.TEACHER: 0, Role.ASSISTANT: 1, Role.STUDENT: 2}
    return sorted(
        session.scalars(asked), key=lambda place: (order[place.role], place.number, place.user.name)
    )


def set_role(session: Session, actor: User | None, place: Enrolment, role: Role, active: bool = True) -> None:
    """Make someone something else in a course, or let him in no longer. `actor` None: at the command line."""
    if actor is not None:
        access.require(session, actor, "manage-people", place.course)
    if not (active and role is Role.TEACHER):
        _keep_one_teacher(session, place)
    if active and not place.active and (other := numbers.holder(session, place)):
        raise Refused("number-of", login=other.user.login, number=place.number)
    place.role, place.active = role, active
    words = role.value if active else "out"
    audit.note(session, actor, "role", place.user.login, place.course, role=words)


def _keep_one_teacher(session: Session, place: Enrolment) -> None:
    """Let no course be without a teacher who can come in, once it has one."""
    if not (place.active and place.role is Role.TEACHER):
        return
    # Two teachers must not put each other out at once.
    session.execute(select(Course.id).where(Course.id == place.course_id).with_for_update(key_share=True))
    others = select(func.count(Enrolment.id)).join(Enrolment.user).where(
        Enrolment.course_id == place.course_id, Enrolment.active, Enrolment.role == Role.TEACHER, User.active,
        Enrolment.id != place.id,
    )  # fmt: skip
    if not session.scalar(others):
        raise Refused("last-teacher", login=place.user.login)


def set_pseudonym(session: Session, actor: User, course: Course, pseudonym: str) -> None:
    """Choose under which name one stands on the leaderboard; an empty one shows the real name."""
    place = existing(place_of(session, actor, course))
    place.pseudonym = accounts.clean_name(pseudonym)[:40] if pseudonym.strip() else ""


# ---- The course and its tasks ----


def edit(session: Session, actor: User, course: Course, title: str, zone: str, join_open: bool) -> None:
    """Change what a course is called, where it is, and whether one may still join."""
    access.require(session, actor, "edit-course", course)
    course.title, course.zone, course.join_open = accounts.clean_name(title), clean_zone(zone), join_open
    audit.note(
        session, actor, "course", course.slug, course, title=course.title, zone=zone, join_open=join_open
    )


def renew_join_code(session: Session, actor: User, course: Course) -> None:
    """Give a course another code; the old one opens nothing any more."""
    access.require(session, actor, "edit-course", course)
    course.join_code = new_join_code()
    audit.note(session, actor, "join code renewed", course.slug, course)


def tasks(session: Session, course: Course) -> list[Task]:
    """The tasks of a course, in the order of the catalogue."""
    number = {slug: place for place, slug in enumerate(shelf.assignments())}
    found = session.scalars(select(Task).where(Task.course_id == course.id))
    return sorted(found, key=lambda task: (number.get(task.slug, 1000), task.slug))


def add_missing_tasks(session: Session, actor: User, course: Course) -> int:
    """Give a course the assignments that are new in the catalogue. Returns how many."""
    access.require(session, actor, "edit-course", course)
    there = {task.slug for task in tasks(session, course)}
    new = [slug for slug in shelf.assignments() if slug not in there]
    session.add_all(Task(course_id=course.id, slug=slug) for slug in new)
    return len(new)


def edit_task(
    session: Session, actor: User, task: Task, *, opens_at: datetime | None, due_at: datetime | None,
    attempts: int, late_percent: float, late_days: int, counts: str,
) -> None:  # fmt: skip
    """Change a task's dates and rules. They hold for what was handed in before as well."""
    access.require(session, actor, "edit-course", task.course)
    if opens_at and due_at and due_at <= opens_at:
        raise Refused("bad-order")
    require_within("attempts", attempts, 0, 1000)
    require_within("late percent", late_percent, 0, 100)
    require_within("late days", late_days, 0, 365)
    if counts not in COUNTS:
        raise Refused("bad-choice", got=counts[:20], known=", ".join(COUNTS))
    task.opens_at, task.due_at, task.attempts = opens_at, due_at, attempts
    task.late_percent, task.late_days, task.counts = late_percent, late_days, counts
    audit.note(
        session, actor, "task", task.slug, task.course, opens=opens_at, due=due_at, attempts=attempts,
        late_percent=late_percent, late_days=late_days, counts=counts,
    )  # fmt: skip


def count_members(session: Session, course: Course) -> int:
    """How many are in a course."""
    asked = select(func.count(Enrolment.id)).where(Enrolment.course_id == course.id, Enrolment.active)
    return session.scalar(asked) or 0
