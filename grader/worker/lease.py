"""Keeps a claim while its run goes on: renews the lease from a thread of its own, and passes progress on."""

from __future__ import annotations

import logging
import os
import threading
import time
from types import TracebackType

from sqlalchemy.exc import SQLAlchemyError

from grader.db.database import Database
from grader.jobs import queue
from grader.jobs.queue import Claim
from grader.settings import Settings

log = logging.getLogger(__name__)

_SELDOM_SECONDS = 0.2  # between two notes of progress
_GRACE_SECONDS = 60.0  # for a run whose lease is lost, until its process is given up


class Lease:
    """A claim that is renewed, as a context. `lost` tells that someone else may have the job."""

    def __init__(self, database: Database, claim: Claim, settings: Settings) -> None:
        self._database, self.claim, self._settings = database, claim, settings
        self.lost = False
        self._over = threading.Event()
        self._told = 0.0
        self._thread = threading.Thread(target=self._keep, name="lease", daemon=True)

    def __enter__(self) -> Lease:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _keep(self) -> None:
        while not self.lost and not self._over.wait(self._settings.lease_seconds / 3):
            try:
                with self._database.writing() as session:
                    self.lost = not queue.renew(session, self.claim, self._settings)
            except (
                SQLAlchemyError
            ):  # the database may be back before the lease ends; if not, another has the job
                log.warning("the lease could not be renewed", exc_info=True)
        if self.lost and not self._over.wait(_GRACE_SECONDS):
            log.error("the run does not end: its process does")  # whoever supervises it starts another
            os._exit(70)

    def tell(self, stage: str, step: int = 0, steps: int = 0) -> None:
        """Pass on how far the run is; now and then is enough, and no run ends because it cannot be told."""
        if time.monotonic() - self._told < _SELDOM_SECONDS:
            return
        self._told = time.monotonic()
        try:
            with self._database.writing() as session:
                queue.report_progress(session, self.claim, stage, step, steps)
        except SQLAlchemyError:
            log.warning("progress could not be told", exc_info=True)
