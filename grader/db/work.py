"""Tables of what is handed in and what becomes of it.

A `Submission` has `Run`s: the first one, and one more for every regrade. Exactly one of them counts. A `Job` is a run's
place in the queue, and gone from it when the run is over.
"""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from typing import Any

from sqlalchemy import ForeignKey, Index, LargeBinary, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from grader.db.base import Base, words
from grader.db.clock import now
from grader.db.people import Course, User


class Kind(str, Enum):
    """What a submission is for."""

    FINAL = "final"
    DRAFT = "draft"  # public tests only; uses no attempt, has no score that counts


class RunState(str, Enum):
    """Where a run is; the last three are final."""

    QUEUED = "queued"
    RUNNING = "running"
    GRADED = "graded"
    ERROR = "error"  # the grader's fault: no attempt is used
    CANCELLED = "cancelled"

    @property
    def final(self) -> bool:
        """Whether nothing will change any more."""
        return self is not RunState.QUEUED and self is not RunState.RUNNING


class JobState(str, Enum):
    """Where a job is."""

    QUEUED = "queued"
    LEASED = "leased"
    DONE = "done"
    DEAD = "dead"  # tried too often, or too late
    CANCELLED = "cancelled"


class RegradeState(str, Enum):
    """Where a regrade is: its scores count when a teacher has seen the changes and applied them."""

    OPEN = "open"
    APPLIED = "applied"
    DISCARDED = "discarded"


class Task(Base):
    """An assignment of the catalogue, given to a course, with its dates and rules."""

    __tablename__ = "task"
    __table_args__ = (UniqueConstraint("course_id", "slug"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    course_id: Mapped[int] = mapped_column(ForeignKey("course.id"))
    slug: Mapped[str]
    opens_at: Mapped[datetime | None]
    due_at: Mapped[datetime | None]
    attempts: Mapped[int] = mapped_column(default=0)  # 0: as many as one likes
    late_percent: Mapped[float] = mapped_column(default=0.0)  # taken off for every day begun
    late_days: Mapped[int] = mapped_column(default=0)  # after which nothing is taken any more
    counts: Mapped[str] = mapped_column(default="best")  # or "latest"

    course: Mapped[Course] = relationship()


class Extension(Base):
    """More time or more attempts for one student."""

    __tablename__ = "extension"
    __table_args__ = (UniqueConstraint("task_id", "user_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("task.id"))
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"))
    due_at: Mapped[datetime | None]
    attempts: Mapped[int] = mapped_column(default=0)  # in addition
    reason: Mapped[str] = mapped_column(default="")

    user: Mapped[User] = relationship()


class Submission(Base):
    """What a student handed in. Nothing of it ever changes."""

    __tablename__ = "submission"
    __table_args__ = (Index("ix_submission_task_user", "task_id", "user_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("task.id"))
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    kind: Mapped[Kind] = mapped_column(words(Kind))
    number: Mapped[int]  # of this student's for this task and kind, from 1
    submitted_at: Mapped[datetime]  # when its upload began
    digest: Mapped[str]  # of files and version: equal files are not run twice at once
    single: Mapped[bool]  # one file by itself: it is the submission, whatever its name is
    track: Mapped[str]

    task: Mapped[Task] = relationship()
    user: Mapped[User] = relationship()
    runs: Mapped[list[Run]] = relationship(back_populates="submission", order_by="Run.id")
    files: Mapped[list[SubmittedFile]] = relationship(order_by="SubmittedFile.name")


class SubmittedFile(Base):
    """One file of a submission, byte for byte as it came."""

    __tablename__ = "submitted_file"

    submission_id: Mapped[int] = mapped_column(ForeignKey("submission.id"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)


class Regrade(Base):
    """Many submissions graded anew; see `RegradeState`."""

    __tablename__ = "regrade"

    id: Mapped[int] = mapped_column(primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("task.id"), index=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"))
    which: Mapped[str]  # "latest", "best" or "all"
    state: Mapped[RegradeState] = mapped_column(words(RegradeState), default=RegradeState.OPEN)
    created_at: Mapped[datetime] = mapped_column(default=now)
    applied_at: Mapped[float | None]  # by the database's clock: which of two that overlap counted later

    task: Mapped[Task] = relationship()
    user: Mapped[User] = relationship()


class Run(Base):
    """One grading of one submission."""

    __tablename__ = "run"
    __table_args__ = (
        Index("ix_run_submission_counts", "submission_id", "counts"),
        Index(
            "uq_run_counts", "submission_id", unique=True,
            sqlite_where=text("counts"), postgresql_where=text("counts"),
        ),
    )  # fmt: skip

    id: Mapped[int] = mapped_column(primary_key=True)
    submission_id: Mapped[int] = mapped_column(ForeignKey("submission.id"))
    regrade_id: Mapped[int | None] = mapped_column(ForeignKey("regrade.id"), index=True)
    counts: Mapped[bool]
    state: Mapped[RunState] = mapped_column(words(RunState), default=RunState.QUEUED)
    score: Mapped[float | None]
    max_score: Mapped[float | None]
    held: Mapped[bool] = mapped_column(default=False)  # too fast to be true: a person must look
    speed: Mapped[float | None]  # times pyattn's time, the median; and its quartiles
    speed_low: Mapped[float | None]
    speed_high: Mapped[float | None]
    version: Mapped[int | None]  # of the assignment
    level: Mapped[str | None]  # of the sandbox
    fault: Mapped[str | None]  # what went wrong with the grader itself
    created_at: Mapped[datetime] = mapped_column(default=now)
    finished_at: Mapped[datetime | None]

    submission: Mapped[Submission] = relationship(back_populates="runs")
    results: Mapped[list[Result]] = relationship(order_by="Result.position")


class Result(Base):
    """One test of a run, as far as tables need it; `ReportText` has all of it."""

    __tablename__ = "result"

    run_id: Mapped[int] = mapped_column(ForeignKey("run.id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    test: Mapped[str]
    passed: Mapped[bool]
    score: Mapped[float]
    max_score: Mapped[float]
    mistakes: Mapped[str] = mapped_column(default="")  # codes, joined by +


class ReportText(Base):
    """The whole record of a run in one language."""

    __tablename__ = "report_text"

    run_id: Mapped[int] = mapped_column(ForeignKey("run.id"), primary_key=True)
    language: Mapped[str] = mapped_column(primary_key=True)
    record: Mapped[dict[str, Any]]


class Picture(Base):
    """The picture of a test's error, a PNG."""

    __tablename__ = "picture"

    run_id: Mapped[int] = mapped_column(ForeignKey("run.id"), primary_key=True)
    test: Mapped[str] = mapped_column(primary_key=True)
    png: Mapped[bytes] = mapped_column(LargeBinary)


class Job(Base):
    """A run's place in the queue. `grader.jobs.queue` is the only one that writes it."""

    __tablename__ = "job"
    __table_args__ = (Index("ix_job_order", "state", "priority", "turn", "id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    run_id: Mapped[int] = mapped_column(ForeignKey("run.id"), unique=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"))
    priority: Mapped[int]  # the least first
    turn: Mapped[int]  # round by round, one job of every student in each
    timed: Mapped[bool]  # needs a quiet core
    state: Mapped[JobState] = mapped_column(words(JobState), default=JobState.QUEUED)
    token: Mapped[int] = mapped_column(default=0)  # of the lease; an older one is worth nothing
    tries: Mapped[int] = mapped_column(default=0)
    worker: Mapped[str | None] = mapped_column(index=True)
    queued_at: Mapped[float]  # these by the database's clock, in seconds
    not_before: Mapped[float]
    leased_at: Mapped[float | None]
    lease_until: Mapped[float | None]
    stage: Mapped[str] = mapped_column(default="")  # "compiling", "testing"
    step: Mapped[int] = mapped_column(default=0)
    steps: Mapped[int] = mapped_column(default=0)
    fault: Mapped[str] = mapped_column(default="")

    run: Mapped[Run] = relationship()


class Worker(Base):
    """A process that grades, as long as it is heard of."""

    __tablename__ = "worker"

    name: Mapped[str] = mapped_column(primary_key=True)
    level: Mapped[str]  # of its sandbox; empty when there is no safe one
    detail: Mapped[str] = mapped_column(default="")
    timed: Mapped[bool]
    seen: Mapped[float]
