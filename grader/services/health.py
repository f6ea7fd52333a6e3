"""How the service is: database, queue, workers and their sandbox, broker, disk."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from grader.db import history
from grader.db.clock import seconds
from grader.db.database import Database
from grader.db.tables import Job, JobState, Worker
from grader.jobs.engines import Engine
from grader.jobs.queue import HEARD_SECONDS
from grader.settings import Settings

_LEAST_FREE = 200 << 20  # bytes of disk
_LONG_SECONDS = 600.0  # that a job may wait


@dataclass
class Health:
    """Figures, and what is wrong with them: nothing, when all is well."""

    faults: list[str] = field(default_factory=list)
    database: str = ""
    queue: dict[str, int] = field(default_factory=dict)
    oldest_seconds: float = 0.0
    workers: list[dict[str, object]] = field(default_factory=list)
    free_bytes: int = 0

    @property
    def ok(self) -> bool:
        """Whether the service does its work."""
        return not self.faults


def look(database: Database, engine: Engine, settings: Settings) -> Health:
    """Look at everything. Never raises: what cannot be looked at is a fault."""
    found = Health()
    try:
        with database.reading() as session:
            found.database = history.revision_of(database) or ""
            _look_at_queue(session, found)
            _look_at_workers(session, found)
    except SQLAlchemyError as error:
        found.faults.append(f"database: {type(error).__name__}")
    else:
        if found.database != history.head():
            found.faults.append(f"database: revision {found.database or 'none'}, expected {history.head()}")
    if fault := engine.fault():
        found.faults.append(fault)
    found.free_bytes = shutil.disk_usage(settings.data if settings.data.exists() else ".").free
    if found.free_bytes < _LEAST_FREE:
        found.faults.append(f"disk: {found.free_bytes >> 20} MiB free")
    return found


def _look_at_queue(session: Session, found: Health) -> None:
    counts = session.execute(select(Job.state, func.count()).group_by(Job.state))
    found.queue = {state.value: 0 for state in JobState} | {state.value: count for state, count in counts}
    oldest = session.scalar(
        select(seconds() - func.min(Job.queued_at)).where(Job.state == JobState.QUEUED, Job.priority == 0)
    )
    found.oldest_seconds = float(oldest or 0.0)
    if found.oldest_seconds > _LONG_SECONDS:
        found.faults.append(f"queue: a job waits for {found.oldest_seconds:.0f} s")


def _look_at_workers(session: Session, found: Health) -> None:
    alive = session.scalars(select(Worker).where(Worker.seen > seconds() - HEARD_SECONDS))
    found.workers = [
        {"name": one.name, "level": one.level or "none", "timed": one.timed, "detail": one.detail}
        for one in alive
    ]
    if not any(worker["level"] != "none" for worker in found.workers):
        found.faults.append("workers: none that has a safe sandbox")
