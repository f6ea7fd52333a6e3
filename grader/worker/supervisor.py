"""Keeps processes alive: starts them, starts them again, takes their jobs back when they die, ends them in order."""

from __future__ import annotations

import contextlib
import fcntl
import logging
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import FrameType

from sqlalchemy.exc import SQLAlchemyError

from grader.db.database import Database
from grader.jobs import queue
from grader.settings import Settings
from grader.worker.loop import name_of
from grader.worker.orphans import end_with_parent, give_way

log = logging.getLogger(__name__)

_LOOK_SECONDS = 0.2
_MOST_WAIT = 30.0  # between two starts of a process that dies at once
_QUICK_SECONDS = 5.0  # a process that lived shorter than this died at once
_GRACE_SECONDS = 90.0  # for jobs at hand, when the service ends


class AlreadyServed(Exception):
    """Another service uses the same data."""


@dataclass
class _Child:
    """One process, and when it may start again."""

    command: Sequence[str]
    gives_way: bool
    process: subprocess.Popen[bytes] | None = None
    began: float = 0.0
    not_before: float = 0.0
    wait: float = 0.5


class Supervisor:
    """Runs the processes of one service on this machine.

    Parameters
    ----------
    commands : sequence of arguments
        What this Python is started with.
    environment : mapping
        Of the processes.
    """

    def __init__(
        self, settings: Settings, database: Database, commands: Sequence[Sequence[str]],
        environment: Mapping[str, str],
    ) -> None:  # fmt: skip
        self.settings, self.database, self._environment = settings, database, environment
        self._children = [_Child(command, "worker" in command) for command in commands]
        self._stop = threading.Event()

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the lock of the data folder: two services on one SQLite file would be one too many.

        Raises
        ------
        AlreadyServed
            Another one has it.
        SettingsError
            The folder cannot be used.
        """
        with (self.settings.folder / "lock").open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise AlreadyServed(
                    f"{self.settings.data}: another `grader serve` uses this folder. Stop it, or set GRADER_DATA."
                ) from None
            yield

    def stop(self, signum: int = 0, frame: FrameType | None = None) -> None:
        """End everything, in order."""
        self._stop.set()

    def run(self) -> None:
        """Keep everything alive until told to stop."""
        signal.signal(signal.SIGTERM, self.stop)
        signal.signal(signal.SIGINT, self.stop)
        try:
            while not self._stop.wait(_LOOK_SECONDS):
                for child in self._children:
                    self._look_after(child)
        finally:
            self._end()

    def _look_after(self, child: _Child) -> None:
        if child.process is not None and child.process.poll() is not None:
            self._bury(child, child.process)
        if child.process is None and time.monotonic() >= child.not_before:
            child.began = time.monotonic()
            # A session of its own: Ctrl-C in a terminal reaches us only, and we end the processes in order.
            child.process = subprocess.Popen(
                [sys.executable, *child.command], env=self._environment, start_new_session=True,
                preexec_fn=_background if child.gives_way else end_with_parent,
            )  # fmt: skip

    def _bury(self, child: _Child, process: subprocess.Popen[bytes]) -> None:
        log.warning(
            "process %d ended with %s: %s", process.pid, process.returncode, " ".join(child.command[:4])
        )
        child.process = None
        quick = time.monotonic() - child.began < _QUICK_SECONDS
        child.wait = min(child.wait * 2, _MOST_WAIT) if quick else 0.5
        child.not_before = time.monotonic() + child.wait if quick else 0.0
        try:
            with self.database.writing() as session:
                queue.release(session, name_of(process.pid), self.settings)
        except SQLAlchemyError:  # the lease runs out by itself
            log.warning("the jobs of a dead worker could not be released", exc_info=True)

    def _end(self) -> None:
        alive = [child.process for child in self._children if child.process is not None]
        for process in alive:
            process.terminate()
        deadline = time.monotonic() + _GRACE_SECONDS
        for process in alive:
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _background() -> None:
    end_with_parent()
    give_way()
