"""A worker process: prove the sandbox, claim, work, again; until told to stop or its parent is gone."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import threading
import time
from types import FrameType

import structlog
from sqlalchemy import delete
from sqlalchemy.exc import SQLAlchemyError

from grader.db.clock import seconds
from grader.db.database import Database
from grader.db.tables import Worker
from grader.jobs import queue
from grader.sandbox import Level, SandboxUnavailable, selftest
from grader.settings import Settings
from grader.worker.work import work

log = logging.getLogger(__name__)

_FORGOTTEN_SECONDS = 300.0  # after that a silent worker is struck off
_PROVE_SECONDS = 300.0
_REFUSED_SECONDS = 30.0  # until a worker without a sandbox looks again
_REAP_SECONDS = 5.0
_HOUSE_SECONDS = 10.0  # between two signs of life


def name_of(process: int) -> str:
    """Host and process id: who else could have both."""
    return f"{socket.gethostname()}:{process}"


class Loop:
    """A worker's life.

    Parameters
    ----------
    database : Database
    settings : Settings
    timed : bool
        Whether it takes jobs that need a quiet core.
    name : str, optional
        By default that of `name_of`.
    """

    def __init__(self, database: Database, settings: Settings, *, timed: bool = True, name: str = "") -> None:
        self.database, self.settings, self.timed = database, settings, timed
        self.name = name or name_of(os.getpid())
        self._stop = threading.Event()
        self._parent = os.getppid()
        self._life = threading.Thread(target=self._show_life, name="life", daemon=True)
        self._proved = self._reaped = float("-inf")
        self._said = float("-inf")
        self._level, self._detail = Level.NONE, ""

    def stop(self, signum: int = 0, frame: FrameType | None = None) -> None:
        """Finish the job at hand and end."""
        self._stop.set()

    def run(self) -> None:
        """Work until stopped. The job at hand is finished first."""
        signal.signal(signal.SIGTERM, self.stop)
        signal.signal(signal.SIGINT, self.stop)
        self.begin()
        while not self._stop.is_set():
            try:
                self._stop.wait(self.step())
            except SQLAlchemyError:  # restarted, full, or away: it is asked again
                log.warning("the database does not answer", exc_info=True)
                self._stop.wait(1.0)
        self.end()

    def begin(self) -> None:
        """Prove the sandbox and be seen from now on."""
        self._life.start()
        with contextlib.suppress(SQLAlchemyError):
            self._safe()

    def end(self) -> None:
        """Be seen no longer."""
        self.stop()
        self._life.join()
        with contextlib.suppress(SQLAlchemyError), self.database.writing() as session:
            session.execute(delete(Worker).where(Worker.name == self.name))

    def step(self) -> float:
        """One look for a job. Returns for how long to wait before the next."""
        self._reap()
        if not self._safe():
            return _REFUSED_SECONDS
        with self.database.writing() as session:
            claim = queue.claim(session, self.name, self.settings, timed=self.timed)
        if claim is None:
            return self.settings.poll_seconds
        with structlog.contextvars.bound_contextvars(job=claim.job, run=claim.run):
            log.info("job claimed")
            began = time.monotonic()
            try:
                stored = work(self.database, claim, self.settings)
            except SandboxUnavailable as error:
                self._refuse(str(error))
                return _REFUSED_SECONDS
            log.info("job over: stored=%s seconds=%.2f", stored, time.monotonic() - began)
        return 0.0

    def _reap(self) -> None:
        if time.monotonic() - self._reaped > _REAP_SECONDS:
            self._reaped = time.monotonic()
            with self.database.writing() as session:
                queue.reap(session, self.settings)

    def _safe(self) -> bool:
        """Whether hostile code may be run here; tried again every few minutes."""
        if time.monotonic() - self._proved < _PROVE_SECONDS:
            return True
        try:
            found = selftest()
        except SandboxUnavailable as error:
            return self._refuse(str(error))
        if not found.ok:
            return self._refuse("; ".join(f"{p.name}: {p.detail}" for p in found.probes if not p.ok))
        if self._level is not found.level:
            log.info("sandbox proved: level=%s", found.level.value)
        self._proved, self._level, self._detail = time.monotonic(), found.level, ""
        self._say_alive()
        return True

    def _refuse(self, why: str) -> bool:
        log.error("no safe sandbox here, so nothing is graded here: %s", why)
        self._proved, self._level, self._detail = float("-inf"), Level.NONE, why[:500]
        self._say_alive()
        return False

    def orphaned(self) -> None:
        """Act on it that the parent process is gone."""
        log.warning("the parent process is gone: ending after the job at hand")
        self.stop()

    def _show_life(self) -> None:
        """Show that this worker lives, and end it when nobody is there any more who would restart it."""
        while not self._stop.wait(1.0):
            if os.getppid() != self._parent:
                self.orphaned()
            if time.monotonic() - self._said > _HOUSE_SECONDS:
                with contextlib.suppress(SQLAlchemyError):
                    self._say_alive()

    def _say_alive(self) -> None:
        self._said = time.monotonic()
        level = "" if self._level is Level.NONE else self._level.value
        with self.database.writing() as session:
            session.merge(
                Worker(name=self.name, level=level, detail=self._detail, timed=self.timed, seen=0.0)
            )
            session.flush()
            session.query(Worker).filter_by(name=self.name).update({"seen": seconds()})
            session.execute(delete(Worker).where(Worker.seen < seconds() - _FORGOTTEN_SECONDS))
