"""A worker that waits for Celery's messages instead of looking by itself: `loop`, one step for every knock."""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import threading
from typing import Any

from celery.signals import setup_logging, worker_process_init, worker_process_shutdown
from sqlalchemy.exc import SQLAlchemyError

from grader.db.database import Database
from grader.jobs import queue
from grader.jobs.engines.celery import PLAIN, TASK, TIMED, Celery, app_of
from grader.settings import Settings
from grader.worker.loop import Loop, name_of

log = logging.getLogger(__name__)


class _Slot(Loop):
    """One process of Celery's pool, whose name begins as those of the others there do."""

    _busy = threading.Lock()

    def release_dead(self) -> None:
        """Queue again what others of this pool had that are dead: a new process begins when another one has died."""
        pool = self.name.rpartition(":")[0]
        with contextlib.suppress(SQLAlchemyError), self.database.writing() as session:
            for name in queue.holders(session):
                place, _, process = name.rpartition(":")
                if place == pool and not _lives(int(process)):
                    queue.release(session, name, self.settings)

    def hear(self) -> None:
        """Do what is next. When the database does not answer the knock is lost, and the sweeper's is next."""
        with self._busy:
            try:
                self.step()
            except SQLAlchemyError:
                log.warning("the database does not answer", exc_info=True)

    def orphaned(self) -> None:
        """Celery's own process is gone, and nobody will knock any more."""
        with self._busy:
            os._exit(70)


def run(settings: Settings, *, timed: bool, processes: int) -> None:
    """Work until told to stop; the jobs at hand are finished first.

    Parameters
    ----------
    timed : bool
        Whether to take jobs that need a quiet core.
    processes : int
        How many jobs at once.
    """
    app = app_of(settings)
    pool = f"{name_of(os.getpid())}-{secrets.token_hex(4)}"  # no container beside us has the same
    slots: list[_Slot] = []  # the one of this process, once it has been forked

    def begin(**_: Any) -> None:
        database = Database(settings.database, woken=Celery(settings).wake)
        slots[:] = [_Slot(database, settings, timed=timed, name=f"{pool}:{os.getpid()}")]
        slots[0].release_dead()
        slots[0].begin()

    def end(**_: Any) -> None:
        slots[0].end()

    def grade(job: int) -> None:
        log.debug("heard of job %d", job)
        slots[0].hear()

    worker_process_init.connect(begin, weak=False)
    worker_process_shutdown.connect(end, weak=False)
    setup_logging.connect(_keep_ours, weak=False)
    app.task(grade, name=TASK)
    queues = f"{PLAIN},{TIMED}" if timed else PLAIN
    name = f"{'timed' if timed else 'plain'}-{os.getpid()}@%h"
    app.worker_main(
        [
            "worker",
            "--pool",
            "prefork",
            "--concurrency",
            str(processes),
            "--queues",
            queues,
            "--hostname",
            name,
        ]
    )


def _keep_ours(**_: Any) -> None:
    """Whoever listens to this signal sets up the logs, and we have."""


def _lives(process: int) -> bool:
    """Whether there is a process of this number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # another user's by now
        return False
    return True
