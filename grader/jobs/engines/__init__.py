"""Engines wake workers, and that is all: a message that is lost, late or doubled changes nothing.

An engine has three verbs: `wake(job id, timed)`; for `grader serve`, `commands()`: the processes that it needs; for the
health, `fault()`.
To add one write a module with a class like `local.Local` and a line in `ENGINES`.
"""

from __future__ import annotations

import importlib
from typing import Protocol

from grader.settings import Settings, SettingsError

ENGINES = {"local": "grader.jobs.engines.local:Local", "celery": "grader.jobs.engines.celery:Celery"}


class Engine(Protocol):
    """Wakes the workers of a kind."""

    def wake(self, job: int, timed: bool) -> None:
        """Say that a job is ready. Must not raise, and need not arrive."""

    def commands(self) -> list[list[str]]:
        """The processes, as arguments of this Python, that `grader serve` keeps alive for it."""

    def fault(self) -> str:
        """What is wrong with it; empty when nothing is. Must not raise."""


def engine_of(settings: Settings) -> Engine:
    """The engine that the settings name.

    Raises
    ------
    SettingsError
        There is none of that name.
    """
    if settings.engine not in ENGINES:
        known = ", ".join(ENGINES)
        raise SettingsError(
            f"GRADER_ENGINE: {settings.engine!r}; expected one of {known}. Correct or remove it."
        )
    module, name = ENGINES[settings.engine].split(":")
    found: Engine = getattr(importlib.import_module(module), name)(settings)
    return found
