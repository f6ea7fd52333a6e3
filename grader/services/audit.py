"""Remembers what teachers and operators did."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from grader.db.tables import AuditEntry, Course, User
from grader.services.access import require


def note(
    session: Session,
    actor: User | None,
    act: str,
    target: str = "",
    course: Course | None = None,
    **detail: object,
) -> None:
    """Write one line, in the transaction of the act itself. `actor` None: at the server's command line."""
    plain = {name: value if isinstance(value, int | float) else str(value) for name, value in detail.items()}
    entry = AuditEntry(act=act, target=target, detail=plain)
    entry.actor_id, entry.course_id = actor.id if actor else None, course.id if course else None
    session.add(entry)


def entries(session: Session, actor: User, course: Course, count: int = 200) -> list[AuditEntry]:
    """The last lines about a course, the newest first."""
    require(session, actor, "see-audit", course)
    asked = select(AuditEntry).where(AuditEntry.course_id == course.id).options(joinedload(AuditEntry.actor))
    return list(session.scalars(asked.order_by(AuditEntry.id.desc()).limit(count)))
