"""Knocks again where a message was lost, and queues again what a dead worker had. As many as one likes may run."""

from __future__ import annotations

import logging
import signal
import threading
from types import FrameType

from sqlalchemy.exc import SQLAlchemyError

from grader.db.database import Database
from grader.jobs import queue
from grader.jobs.engines import Engine
from grader.settings import Settings

log = logging.getLogger(__name__)


class Sweeper:
    """Looks now and then for jobs that wait though a worker idles: nobody has heard of them."""

    def __init__(self, database: Database, engine: Engine, settings: Settings) -> None:
        self.database, self.engine, self.settings = database, engine, settings
        self._stop = threading.Event()

    def stop(self, signum: int = 0, frame: FrameType | None = None) -> None:
        """End."""
        self._stop.set()

    def run(self) -> None:
        """Sweep until stopped."""
        signal.signal(signal.SIGTERM, self.stop)
        signal.signal(signal.SIGINT, self.stop)
        while not self._stop.wait(self.settings.sweep_seconds):
            try:
                self.sweep()
            except SQLAlchemyError:  # restarted, full, or away: it is asked again
                log.warning("the database does not answer", exc_info=True)

    def sweep(self) -> int:
        """Do it once. Returns how many knocks were sent again."""
        with self.database.writing() as session:
            queue.reap(session, self.settings)
        with self.database.reading() as session:
            unheard = queue.unheard(session, self.settings)
        for job, timed in unheard:
            self.engine.wake(job, timed)
        return len(unheard)
