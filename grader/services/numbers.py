"""Students' numbers, the school's own. No two who are in a course have the same: other systems know them by it."""

from __future__ import annotations

import unicodedata

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from grader.db.tables import Course, Enrolment
from grader.services.refusals import Refused


def clean(number: str) -> str:
    """A student's number as it is shown, or nothing. Wide digits, as Chinese input methods write them, are digits."""
    number = " ".join(unicodedata.normalize("NFKC", number).split())
    if len(number) > 60 or not number.isprintable():
        raise Refused("bad-student-number")
    return number


def key(number: str) -> str:
    """Equal for numbers that count as the same."""
    return unicodedata.normalize("NFKC", number).casefold()


def holders(session: Session, course: Course) -> dict[str, list[Enrolment]]:
    """Who has which number, of all who are in a course now.

    One transaction after the other: else two who come at once could both find a number free. The lock is the weaker
    one, as both have the course's key locked already, by having come.
    """
    session.execute(select(Course.id).where(Course.id == course.id).with_for_update(key_share=True))
    asked = select(Enrolment).where(Enrolment.course_id == course.id, Enrolment.active)
    found: dict[str, list[Enrolment]] = {}
    for place in session.scalars(asked.options(joinedload(Enrolment.user)).order_by(Enrolment.id)):
        if place.number:
            found.setdefault(key(place.number), []).append(place)
    return found


def holder(session: Session, place: Enrolment) -> Enrolment | None:
    """Somebody else in the course who has the same number; None when there is nobody, or no number."""
    if not place.number:
        return None
    same = holders(session, place.course).get(key(place.number), [])
    return next((other for other in same if other.user_id != place.user_id), None)
