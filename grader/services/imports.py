"""Students into a course from a list, and what was changed by it."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy.orm import Session

from grader.db.tables import Course, Enrolment, Role, User
from grader.services import access, accounts, audit, courses, numbers, rosters
from grader.services.refusals import Refused
from grader.services.rosters import Line

# What there is to say of someone who had an account before; other languages translate these words.
NOTES = {
    "back": "is back in the course",
    "number": "has the number %(number)s now",
    "other-number": "has the number %(number)s now, not %(before)s",
    "no-student": "is no student here, and stays so",
    "closed": "cannot come in: the account is closed",
}


class Note:
    """Something that was changed, or was not, in English words and what they are about."""

    def __init__(self, code: str, /, **params: object) -> None:
        self.words, self.params = NOTES[code], params

    def __str__(self) -> str:
        return self.words % self.params


@dataclass(frozen=True)
class Imported:
    """Someone who is in the course now, and the way in when the account is new."""

    place: Enrolment
    new: bool
    link: str | None  # the token of a one-time link
    token: str | None = None  # of the API
    notes: list[Note] = field(default_factory=list)

    @property
    def user(self) -> User:
        """Who it is."""
        return self.place.user

    @property
    def student(self) -> bool:
        """Whether it is a student: a teacher whom the list has stays one."""
        return self.place.role is Role.STUDENT


def import_students(
    session: Session, actor: User | None, course: Course, content: bytes, link_hours: float, *, tokens: bool = False
) -> list[Imported]:  # fmt: skip
    """Enrol everyone of a CSV; accounts that are not there are made. All of them or, with an error, none.

    Who was put out is back, and numbers are as the list has them. Who has an account already keeps the name, and gets
    no link: it would be somebody else's.
    """
    if actor is not None:
        access.require(session, actor, "manage-people", course)
    lines, found = rosters.read(content), []
    for line in lines:
        with rosters.told_of(line.at):
            found.append(_enrolled(session, actor, course, line, link_hours, tokens))
    _refuse_numbers_of_others(session, course, list(zip(lines, found, strict=True)))
    audit.note(session, actor, "students imported", course.slug, course, count=len(found))
    return found


def _enrolled(
    session: Session, actor: User | None, course: Course, line: Line, hours: float, tokens: bool
) -> Imported:
    user, new = _account(session, actor, line)
    known = courses.place_of(session, user, course)
    place = known or courses.enrol(session, user, course, Role.STUDENT)
    link = accounts.make_link(session, user, hours) if new else None
    token = accounts.make_token(session, user, "import", ["read", "submit"])[1] if new and tokens else None
    one = Imported(place, new, link, token)
    _bring_back(session, actor, one)
    _give_number(session, actor, one, line.number, said=known is not None)
    one.notes.extend(Note(code) for code, so in _states(one).items() if so)
    return one


def _states(one: Imported) -> dict[str, bool]:
    return {"no-student": not one.student, "closed": not one.user.active}


def _account(session: Session, actor: User | None, line: Line) -> tuple[User, bool]:
    """Someone's account, and whether it is new.

    A teacher takes nobody in whom no course knows: being the only one who has him, he could make a link to the account.
    """
    user = accounts.find(session, line.login)
    if user is None:
        return accounts.create(session, line.login, line.name), True
    if actor is not None and not actor.admin and not courses.was_anywhere(session, user):
        raise Refused("in-no-course", login=user.login)
    return user, False


def _bring_back(session: Session, actor: User | None, one: Imported) -> None:
    """A list of students makes a student of whoever was put out, whatever he was before."""
    place = one.place
    if not place.active:
        place.active, place.role = True, Role.STUDENT
        audit.note(session, actor, "role", place.user.login, place.course, role=place.role.value)
        one.notes.append(Note("back"))


def _give_number(session: Session, actor: User | None, one: Imported, number: str, *, said: bool) -> None:
    """`said`: it is a change to tell of; who is new has just what the list has."""
    place, before = one.place, one.place.number
    if not number or number == before:
        return
    place.number = number
    if said:
        audit.note(
            session, actor, "student number", place.user.login, place.course, number=number, before=before
        )
        one.notes.append(
            Note("other-number", number=number, before=before) if before else Note("number", number=number)
        )


def _refuse_numbers_of_others(session: Session, course: Course, found: list[tuple[Line, Imported]]) -> None:
    """When all have theirs: two may have changed numbers. Who was not touched may have what he had."""
    session.flush()
    holders = numbers.holders(session, course)
    for line, one in found:
        place = one.place
        same = holders.get(numbers.key(place.number), []) if line.number or one.notes else []
        if other := next((holder for holder in same if holder.user_id != place.user_id), None):
            why = Refused("number-of", login=other.user.login, number=place.number)
            raise Refused("bad-csv", line=line.at, why=why)
