"""Remembers what teachers and operators did."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from grader.db.tables import AuditEntry, Course, User
from grader.services.access import require

# Everything that is noted, in words that a page translates.
ACTS = (
    "account closed", "account made", "account opened", "administrator", "course", "course made", "extension",
    "first administrator", "job queued again", "join code renewed", "no administrator", "regrade applied",
    "regrade discarded", "regrade started", "reset link", "role", "scores exported", "student number",
    "students imported", "task", "token made",
)  # fmt: skip


def note(
    session: Session,
    actor: User | None,
    act: str,
    target: str = "",
    course: Course | None = None,
    **detail: object,
) -> None:
    """Write one line, in the transaction of the act itself. `actor` None: at the server's command line."""
    if act not in ACTS:
        raise ValueError(f"audit: {act!r} is none of the ACTS. Add it there, and to the translations.")
    plain = {name: value if isinstance(value, int | float) else str(value) for name, value in detail.items()}
    entry = AuditEntry(act=act, target=target, detail=plain)
    entry.actor_id, entry.course_id = actor.id if actor else None, course.id if course else None
    session.add(entry)


def entries(session: Session, actor: User, course: Course, count: int = 200) -> list[AuditEntry]:
    """The last lines about a course, the newest first."""
    require(session, actor, "see-audit", course)
    asked = select(AuditEntry).where(AuditEntry.course_id == course.id).options(joinedload(AuditEntry.actor))
    return list(session.scalars(asked.order_by(AuditEntry.id.desc()).limit(count)))
