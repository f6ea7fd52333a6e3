"""Quiet: before a round the machine's, before a turn our own.

A busy neighbour halves the speed of whatever runs at that moment, and an engine's threads go on spinning after its
last call. Both are told by the system's books, never by the engines' times, which would favour somebody.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

QUIET = 0.05  # of the cores' time


class Others:
    """Share of the cores' time that other processes and the hypervisor took since the last look."""

    def __init__(self, stat: Path = Path("/proc/stat")) -> None:
        self._stat = stat
        self._cores = os.cpu_count() or 1
        self._last = self._read()

    def share(self) -> float:
        """Since the last call. 0 where the system keeps no such books."""
        now = self._read()
        busy, ours, clock = (after - before for after, before in zip(now, self._last, strict=True))
        self._last = now
        return min(1.0, max(0.0, busy - ours) / (clock * self._cores)) if clock > 0 else 0.0

    def _read(self) -> tuple[float, float, float]:
        own = os.times()
        return self._busy(), own.user + own.system + own.children_user + own.children_system, time.monotonic()

    def _busy(self) -> float:
        """Seconds that all cores spent on anything, stolen time included."""
        try:
            fields = [int(f) for f in self._stat.read_text().splitlines()[0].split()[1:]]
        except OSError:
            return 0.0
        user, nice, system, _idle, _waiting, irq, soft_irq, stolen = fields[:8]
        return (user + nice + system + irq + soft_irq + stolen) / os.sysconf("SC_CLK_TCK")


def wait_for_quiet(longest: float, look: float = 0.2) -> float:
    """Sleep until others leave the machine alone, ``longest`` seconds at most; returns the seconds waited."""
    started = time.monotonic()
    others = Others()
    while (waited := time.monotonic() - started) < longest:
        time.sleep(look)
        if others.share() < QUIET:
            break
    return waited


def rest(longest: float = 1.0, look: float = 0.02) -> None:
    """Sleep until our own threads do so as well: some spin for 50 ms after their work, in case there is more."""
    stop = time.monotonic() + longest
    while time.monotonic() < stop:
        used = time.process_time()
        time.sleep(look)
        if time.process_time() - used < look / 10:
            return
