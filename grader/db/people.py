"""Tables of people, courses, and who is what in which."""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from typing import Any

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from grader.db.base import Base, words
from grader.db.clock import now


class Role(str, Enum):
    """What someone is in a course."""

    STUDENT = "student"
    ASSISTANT = "assistant"
    TEACHER = "teacher"


class User(Base):
    """A person with an account. Without a password one comes in by a one-time link only."""

    __tablename__ = "user"

    id: Mapped[int] = mapped_column(primary_key=True)
    login: Mapped[str] = mapped_column(unique=True)  # casefolded
    name: Mapped[str]
    password: Mapped[str | None]  # its hash
    admin: Mapped[bool] = mapped_column(default=False)
    active: Mapped[bool] = mapped_column(default=True)
    language: Mapped[str | None]
    sessions: Mapped[int] = mapped_column(default=0)  # counts up to end every session there is
    created_at: Mapped[datetime] = mapped_column(default=now)


class EndedSession(Base):
    """A session that someone has logged out of, kept until it would have ended by itself."""

    __tablename__ = "ended_session"

    id: Mapped[str] = mapped_column(primary_key=True)  # stands in the cookie
    ends_at: Mapped[datetime] = mapped_column(index=True)


class Link(Base):
    """A link that lets someone in once: the first administrator, a new student, one who forgot the password."""

    __tablename__ = "link"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int | None] = mapped_column(
        ForeignKey("user.id"), index=True
    )  # None: will be the administrator
    digest: Mapped[str] = mapped_column(unique=True)
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]

    user: Mapped[User | None] = relationship()


class ApiToken(Base):
    """A key for programs: shown once, kept as a digest."""

    __tablename__ = "api_token"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    name: Mapped[str]
    digest: Mapped[str] = mapped_column(unique=True)
    scopes: Mapped[list[str]]
    created_at: Mapped[datetime] = mapped_column(default=now)
    used_at: Mapped[datetime | None]
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]

    user: Mapped[User] = relationship()


class Course(Base):
    """A class that works on tasks."""

    __tablename__ = "course"

    id: Mapped[int] = mapped_column(primary_key=True)
    slug: Mapped[str] = mapped_column(unique=True)
    title: Mapped[str]
    zone: Mapped[str]  # of its deadlines, as in the zone database
    join_code: Mapped[str] = mapped_column(unique=True)
    join_open: Mapped[bool] = mapped_column(default=True)
    created_at: Mapped[datetime] = mapped_column(default=now)


class Enrolment(Base):
    """Who is what in a course."""

    __tablename__ = "enrolment"
    __table_args__ = (UniqueConstraint("course_id", "user_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    course_id: Mapped[int] = mapped_column(ForeignKey("course.id"))
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    role: Mapped[Role] = mapped_column(words(Role), default=Role.STUDENT)
    number: Mapped[str] = mapped_column(default="")  # the school's own
    pseudonym: Mapped[str] = mapped_column(
        default=""
    )  # on the leaderboard; the name is not shown when it is set
    active: Mapped[bool] = mapped_column(default=True)

    user: Mapped[User] = relationship()
    course: Mapped[Course] = relationship()


class AuditEntry(Base):
    """What a teacher or an operator did, for ever."""

    __tablename__ = "audit_entry"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(default=now)
    actor_id: Mapped[int | None] = mapped_column(ForeignKey("user.id"))  # None: at the server's command line
    course_id: Mapped[int | None] = mapped_column(ForeignKey("course.id"), index=True)
    act: Mapped[str]
    target: Mapped[str]
    detail: Mapped[dict[str, Any]]

    actor: Mapped[User | None] = relationship()
