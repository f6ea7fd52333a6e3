"""Workers on any machine, woken by Celery: a message is the id of a job that is ready.

The message is no more than a knock. Whoever hears it takes the job that is next by the database's order, so that
students have their turns here as well; a knock too many finds nothing, and for one that is lost the sweeper knocks
again.
"""

from __future__ import annotations

import logging
import time
from typing import Any

from celery import Celery as App
from kombu.exceptions import OperationalError

from grader.settings import Settings

log = logging.getLogger(__name__)

TASK = "grader.grade"
PLAIN, TIMED = "grader", "grader.timed"  # queues; only workers on quiet machines listen to the second one
_SILENT_SECONDS = 5.0  # after a broker did not answer: nobody who hands in should wait for it again and again
_ONCE_MORE = {
    "max_retries": 1,
    "interval_start": 0.0,
}  # a connection of before the broker's restart is found dead


def app_of(settings: Settings) -> App:
    """Celery with our settings: JSON only, no results, no job kept back for a busy worker."""
    app = App("grader", broker=settings.broker_url, set_as_current=False)
    app.conf.update(
        accept_content=["json"], task_serializer="json", task_ignore_result=True, task_default_queue=PLAIN,
        worker_prefetch_multiplier=1, worker_proc_alive_timeout=120.0, worker_hijack_root_logger=False,
        broker_connection_timeout=2.0, broker_connection_max_retries=None, broker_connection_retry_on_startup=True,
        worker_cancel_long_running_tasks_on_connection_loss=False,
    )  # fmt: skip
    if settings.broker_url.startswith("redis"):
        waits = {"socket_connect_timeout": 2.0, "socket_timeout": 10.0, "socket_keepalive": True}
        app.conf.broker_transport_options = waits
    return app


class Celery:
    """For many machines: PostgreSQL for the jobs, Redis or RabbitMQ for the knocks."""

    def __init__(self, settings: Settings) -> None:
        self.settings, self._app = settings, app_of(settings)
        self._silent_until = float("-inf")

    def wake(self, job: int, timed: bool) -> None:
        """Send a message, if the broker is there."""
        if time.monotonic() < self._silent_until:
            return
        queue: Any = TIMED if timed else PLAIN
        try:
            self._app.send_task(TASK, (job,), queue=queue, retry_policy=_ONCE_MORE)
        except (OperationalError, OSError) as error:
            self._silent_until = time.monotonic() + _SILENT_SECONDS
            log.warning("the broker does not answer; the sweeper will knock for job %d: %s", job, error)

    def commands(self) -> list[list[str]]:
        """A worker that takes timed jobs too, one by one; the other slots; the sweeper."""
        workers = [["-m", "grader", "worker"]] if self.settings.workers else []
        if self.settings.workers > 1:
            others = str(self.settings.workers - 1)
            workers.append(["-m", "grader", "worker", "--no-timed", "--processes", others])
        return [*workers, ["-m", "grader", "sweep"]]

    def fault(self) -> str:
        """Whether the broker answers. Without it jobs are still taken, and none is lost; nobody is woken for them."""
        try:
            with self._app.connection_for_write(connect_timeout=2.0) as connection:
                connection.ensure_connection(max_retries=1, interval_start=0.0, interval_step=0.0)
        except (OperationalError, OSError) as error:
            return f"broker: {type(error.__cause__ or error).__name__}"
        return ""
