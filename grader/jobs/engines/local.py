"""Workers on this machine that look for jobs by themselves, some times a second."""

from __future__ import annotations

from grader.settings import Settings


class Local:
    """The default: no broker, nothing to install."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def wake(self, job: int, timed: bool) -> None:
        """Nobody sleeps longer than `poll_seconds`."""

    def commands(self) -> list[list[str]]:
        """A worker for each slot; only the first takes timed jobs, so that they never run side by side."""
        slots = range(self.settings.workers)
        return [["-m", "grader", "worker", *([] if slot == 0 else ["--no-timed"])] for slot in slots]

    def fault(self) -> str:
        """Nothing is between jobs and workers that could have one."""
        return ""
