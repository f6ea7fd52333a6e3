"""One persistent child that makes the same call with new data each time, under a clock that it cannot reach.

`run` measures from "go" until "done". Whoever says "done" too early gains nothing: the results are copied at that
moment, and processor time is counted from before the data is there until well after, threads included.
"""

from __future__ import annotations

import contextlib
import os
import select
import time
from collections.abc import Mapping
from dataclasses import replace
from types import TracebackType

from ..models import Call, Limits, Outcome, Status, Value
from .arena import Arena
from .engine import Engine
from .inside import protocol
from .verdict import judge, said

_SETTLE_SECONDS = 0.005  # after "done", for a thread that goes on to show itself
_IMPORT_SECONDS = 10.0
_LEAVE_SECONDS = 0.5


class Timed:
    """Load, run, fetch; again. After a failure `fetch` gives it every time, and `run` gives the time until it."""

    def __init__(
        self, engine: Engine, call: Call, limits: Limits, track: str, failed: Outcome | None
    ) -> None:
        self._engine, self._call, self._track, self._failed = engine, call, track, failed
        self._limits = replace(limits, cpu_seconds=limits.run_seconds)
        self._arena: Arena | None = None
        self._pipes: list[int] = []
        self._wall = self._cpu_before = self._cpu_done = 0.0
        self.outside_seconds = (
            0.0  # of processor time, since the data of the last call was loaded but not in the call
        )
        self._taken: Outcome | None = None

    def __enter__(self) -> Timed:
        if self._failed is None:
            self._start()
        return self

    def _start(self) -> None:
        limits = self._limits
        self._arena = arena = Arena(self._call, limits.result_bytes, limits.printed_bytes, self._track)
        go, self._go = os.pipe()
        self._done, done = os.pipe()
        self._pipes = [self._go, self._done]
        order = self._engine.order(protocol.TIMED, limits, limits.run_seconds, arena.size, arena.printed_at)
        try:
            self._engine.send(order, [arena.descriptor, go, done], limits)
        finally:
            os.close(go)
            os.close(done)
        self._wait(b"r", limits.wall_seconds + _IMPORT_SECONDS)

    def load(self, arguments: Mapping[str, Value]) -> None:
        """Put new data where the child will read it. Not timed; what it computes meanwhile is counted."""
        if self._failed is None and self._arena is not None:
            self._cpu_before = self._engine.used().cpu_seconds
            self._arena.load(arguments)
            self._forget_early_bytes()

    def _forget_early_bytes(self) -> None:
        os.set_blocking(self._done, False)
        with contextlib.suppress(BlockingIOError):
            while os.read(self._done, 4096):
                pass
        os.set_blocking(self._done, True)

    def run(self) -> float:
        """Wall seconds of one call."""
        self._taken = None
        if self._failed is not None:
            return self._wall
        self.outside_seconds = self._engine.used().cpu_seconds - self._cpu_before
        began = time.monotonic()
        with contextlib.suppress(BrokenPipeError):
            os.write(self._go, b"g")
        self._wall = self._wait(b"d", self._limits.wall_seconds, began)
        if self._failed is None:
            self._cpu_done = self._engine.used().cpu_seconds
            self._taken = self._take()
            if self._taken.status is not Status.OK:
                self._failed = (
                    self._taken
                )  # whoever answers out of turn once could go on answering one call late
                self._engine.throw_away()
        return self._wall

    def _wait(self, word: bytes, seconds: float, began: float | None = None) -> float:
        """Until the child says the word. Anything else is the end of it."""
        began = time.monotonic() if began is None else began
        poll = select.poll()
        poll.register(self._done, select.POLLIN)
        ready = poll.poll(seconds * 1000)
        wall = time.monotonic() - began
        if not ready or os.read(self._done, 1) != word:
            self._fail(wall, timed_out=not ready)
        return wall

    def _fail(self, wall: float, *, timed_out: bool) -> None:
        assert self._arena is not None
        if timed_out:
            self._engine.stop()
        ending = self._engine.receive(self._limits, _LEAVE_SECONDS)
        seen = self._engine.observed(ending, wall)
        if timed_out:
            seen = replace(seen, ending=replace(seen.ending, how=protocol.TIMED_OUT))
        self._failed = judge(self._arena, seen, self._limits)
        if self._failed.status is Status.OK:  # it left as if it had been told to
            self._failed = replace(self._failed, status=Status.EXITED, results=())

    def _take(self) -> Outcome:
        assert self._arena is not None
        try:
            return said(self._arena, {"changed": (), "wall_seconds": self._wall}, self._limits)
        except ValueError:
            return Outcome(Status.EXITED, wall_seconds=self._wall)

    def fetch(self) -> Outcome:
        """What the last call gave, with the processor time of everything inside since its data was loaded."""
        if self._failed is not None:
            return self._failed
        if self._taken is None or self._arena is None:
            raise RuntimeError("sandbox: fetch() gives what run() left; call load() and run() first")
        time.sleep(_SETTLE_SECONDS)
        used = self._engine.used()
        self.outside_seconds += used.cpu_seconds - self._cpu_done
        return replace(
            self._taken,
            changed=self._arena.changed(),
            cpu_seconds=used.cpu_seconds - self._cpu_before,
            peak_bytes=used.peak_bytes,
        )

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for pipe in self._pipes:
            os.close(pipe)
        if self._arena is None:
            return
        if self._failed is None and self._engine.receive(self._limits, _LEAVE_SECONDS) is None:
            self._engine.throw_away()
        self._arena.close()
