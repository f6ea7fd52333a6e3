"""The sandbox of one submission: open it, call functions in it, close it."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from types import TracebackType

from ..models import Build, Call, Limits, Message, Outcome, Status
from . import building, selftest
from .arena import Arena
from .engine import Engine
from .inside import protocol
from .levels import Level
from .timed import Timed
from .verdict import judge


class Sandbox:
    """Runs the calls of one submission, each in a process of its own, until closed or out of time.

    Use it in the thread that opened it: everything in it dies with that thread.
    """

    def __init__(self, engine: Engine, track: str, limits: Limits, build: Build | None) -> None:
        self._engine, self.track, self.limits, self.build = engine, track, limits, build
        self._deadline = time.monotonic() + limits.run_seconds
        self._watchdog = threading.Timer(limits.run_seconds + 2, self._end_all)
        self._watchdog.daemon = True
        self._watchdog.start()

    @classmethod
    def open(
        cls,
        files: Mapping[str, bytes],
        track: str,
        limits: Limits,
        *,
        level: Level | None = None,
        cpu: int | None = None,
    ) -> Sandbox:
        """Put the files into a sandbox; compile them first if the track needs it.

        Parameters
        ----------
        files : mapping of path to content
            The entry module is ``submission``; the others can be imported beside it.
        track : "numpy", "cython" or "cpp"
        limits : Limits
            ``run_seconds`` from now, compiling not counted, all calls must be over.
        level : Level, optional
            The best that the self-test finds here by default. `Level.NONE` only when asked for.
        cpu : int, optional
            The core that everything inside runs on.

        Raises
        ------
        SandboxUnavailable
            With the reason and the way out.
        """
        for name in files:
            _must_stay_inside(name)
        level = level or selftest.best_level()
        build = None
        if track != "numpy":
            build, files = building.build(files, track, limits, level)
        engine = Engine(files, limits, level, cpu)
        try:
            if build is None or build.ok:
                engine.start()
        except BaseException:
            engine.close()
            raise
        return cls(engine, track, limits, build)

    @property
    def level(self) -> Level:
        """What this sandbox is."""
        return self._engine.level

    def call(self, call: Call, limits: Limits) -> Outcome:
        """Make one call in a fresh child of the runner."""
        wall_seconds = min(limits.wall_seconds, self.seconds_left)
        if (skipped := self._not_now()) is not None:
            return skipped
        arena = Arena(call, limits.result_bytes, limits.printed_bytes, self.track)
        try:
            return self._call(arena, replace(limits, wall_seconds=wall_seconds))
        finally:
            arena.close()

    def _call(self, arena: Arena, limits: Limits) -> Outcome:
        engine = self._engine
        order = engine.order(protocol.CALL, limits, limits.wall_seconds, arena.size, arena.printed_at)
        began = time.monotonic()
        engine.send(order, [arena.descriptor], limits)
        ending = engine.receive(limits, limits.wall_seconds)
        return judge(arena, engine.observed(ending, time.monotonic() - began), limits)

    def timed(self, call: Call, limits: Limits) -> Timed:
        """One child that makes the same call again and again with new data. Use it as a context."""
        return Timed(
            self._engine,
            call,
            replace(limits, run_seconds=max(self.seconds_left, 0.01)),
            self.track,
            self._not_now(),
        )

    def _not_now(self) -> Outcome | None:
        if self.build is not None and not self.build.ok:
            return Outcome(Status.IMPORT_FAILED, message=self.build.message)
        if self.seconds_left <= 0:
            return Outcome(Status.SKIPPED, message=Message("run-over", {"seconds": self.limits.run_seconds}))
        return None

    @property
    def seconds_left(self) -> float:
        """Until the whole run must be over."""
        return self._deadline - time.monotonic()

    def _end_all(self) -> None:
        """The watchdog's: whatever a call still does when the run is over, it ends."""
        self._engine.kill()

    def close(self) -> None:
        """End everything that is left inside. Nothing stays outside."""
        self._watchdog.cancel()
        self._engine.close()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _must_stay_inside(name: str) -> None:
    parts = name.split("/")
    if not name or "\0" in name or any(part in ("", ".", "..") for part in parts):
        raise ValueError(
            f"sandbox: file name {name!r}; expected a relative path like 'helper.py' or 'part/helper.py'"
        )
