"""A runner that can be asked again and again: started when needed, ended and replaced when anything was odd."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import struct
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ..models import Limits
from . import launch
from .cgroup_home import CgroupsUnavailable, home, roots
from .cgroup_sweep import remove_old
from .cgroups import Cgroups, remove_stale
from .inside import protocol
from .inside.leftovers import below
from .levels import Level
from .unavailable import SandboxUnavailable
from .verdict import Observed

_GRACE_SECONDS = 1.0  # for the runner to end a child before we end the runner
_LOOK_SECONDS = 0.05
_OWN_PROCESSES = 4  # bwrap, the runner, the child and one to spare
_START_BYTES = 1 << 30
# That a runner may hold more than at its beginning; each core may keep 64 pages ready that count as held.
_GROWN_BYTES = (4 << 20) + (os.cpu_count() or 1) * (256 << 10)
_FREE_SECONDS = 1.0


@dataclass
class Usage:
    """What a call has used so far."""

    cpu_seconds: float = 0.0
    peak_bytes: int = 0
    oom_kills: int = 0


class Engine:
    """One sandbox: its cgroups for the whole run, and the runner in it."""

    def __init__(
        self,
        files: Mapping[str, bytes],
        limits: Limits,
        level: Level,
        cpu: int | None,
        *,
        compilers: bool = False,
    ) -> None:
        self.files, self.limits, self.level, self.cpu, self.compilers = files, limits, level, cpu, compilers
        self.cgroups = _cgroups() if level is Level.FULL else None
        self._started: launch.Started | None = None
        self._base = Usage()
        self.over_cpu = False
        self._idle_bytes = 0  # held by a runner that has just begun

    def start(self) -> None:
        """Have a runner that is ready."""
        if self._started is not None:
            return
        if self.cgroups is not None:
            self.cgroups.limit(_START_BYTES, self.limits.processes + _OWN_PROCESSES)
        if self.level is Level.NONE:
            self._started = launch.start_bare(self.files, self.cpu)
        else:
            self._started = launch.start_contained(
                self.files, self.limits, cgroups=self.cgroups, cpu=self.cpu, compilers=self.compilers
            )
        try:
            launch.wait_ready(self._started)
        except SandboxUnavailable:
            self.throw_away()
            raise
        if self.cgroups is not None:
            self._idle_bytes = self.cgroups.held_bytes()

    @property
    def channel(self) -> socket.socket:
        """The runner's ear."""
        assert self._started is not None
        return self._started.channel

    def order(
        self, kind: int, limits: Limits, wall_seconds: float, arena_bytes: int, printed_at: int
    ) -> protocol.Order:
        """What to tell the runner of a call."""
        bare = self.level is Level.NONE
        return protocol.Order(
            kind=kind,
            wall_seconds=wall_seconds,
            cpu_seconds=limits.cpu_seconds,
            memory_bytes=0 if self.cgroups is not None else limits.memory_bytes,
            processes=0 if bare else limits.processes + _OWN_PROCESSES,
            file_bytes=limits.file_bytes,
            arena_bytes=arena_bytes,
            printed_at=printed_at,
            printed_bytes=limits.printed_bytes,
        )

    def send(self, order: protocol.Order, descriptors: Sequence[int], limits: Limits) -> None:
        """Begin a call; with another runner if the last one was lost since."""
        self.start()
        try:
            self._send(order, descriptors, limits)
        except OSError:
            self.throw_away()
            self.start()
            self._send(order, descriptors, limits)

    def _send(self, order: protocol.Order, descriptors: Sequence[int], limits: Limits) -> None:
        if self.cgroups is not None:
            held = self._idle_bytes + self._wait_for_memory(self.cgroups)
            self.cgroups.limit(held + limits.memory_bytes, limits.processes + _OWN_PROCESSES)
            self.cgroups.forget_peak()
        self._base, self.over_cpu = self._counted(), False
        socket.send_fds(self.channel, [order.pack()], list(descriptors))

    def _wait_for_memory(self, cgroups: Cgroups) -> int:
        """Until all that the last call held is given back; what the runner itself holds more than at its beginning.

        Who was ended for want of memory is dead before its memory is free: counted as the runner's it would be the
        next call's to use. What still is not free after some time counts against that call.
        """
        deadline = time.monotonic() + _FREE_SECONDS
        while (
            more := cgroups.held_bytes() - self._idle_bytes
        ) > _GROWN_BYTES and time.monotonic() < deadline:
            time.sleep(0.002)
        return min(max(more, 0), _GROWN_BYTES)

    def receive(self, limits: Limits, wall_seconds: float) -> protocol.Ending | None:
        """Wait for the end of a call, and see to it. None when the runner was lost and all had to be ended."""
        deadline = time.monotonic() + wall_seconds + _GRACE_SECONDS
        while (left := deadline - time.monotonic()) > 0:
            if self.ready(min(left, _LOOK_SECONDS)):
                return self._ending()
            if self.used().cpu_seconds > limits.cpu_seconds and not self.over_cpu:
                self.over_cpu = True
                self.stop()
        self.throw_away()
        return None

    def ready(self, seconds: float, *others: int) -> bool:
        """Whether the runner, or one of the others, has something to say."""
        poll = select.poll()
        for descriptor in (self.channel.fileno(), *others):
            poll.register(descriptor, select.POLLIN)
        return bool(poll.poll(seconds * 1000))

    def stop(self) -> None:
        """Tell the runner to end its child now."""
        with contextlib.suppress(OSError):
            self.channel.send(protocol.STOP)

    def _ending(self) -> protocol.Ending | None:
        try:
            ending = protocol.Ending.unpack(self.channel.recv(protocol.PACKET_BYTES))
        except (OSError, ValueError, struct.error):
            self.throw_away()
            return None
        if not ending.clean:
            self.throw_away()
        return ending

    def used(self) -> Usage:
        """What the call has used since it began, by the cgroup's counters. Zeros without cgroups."""
        now, base = self._counted(), self._base
        return Usage(
            now.cpu_seconds - base.cpu_seconds,
            max(0, now.peak_bytes - base.peak_bytes),
            now.oom_kills - base.oom_kills,
        )

    def _counted(self) -> Usage:
        if self.cgroups is None:
            return Usage(_tree_seconds(self._started.process.pid) if self._started else 0.0)
        counters = self.cgroups.counters()
        return Usage(counters.cpu_seconds, counters.peak_bytes, counters.oom_kills)

    def observed(self, ending: protocol.Ending | None, wall_seconds: float) -> Observed:
        """All that the trusted side knows of a call that is over."""
        used = self.used()
        if ending is None:
            ending = protocol.Ending(protocol.LOST, 0, used.cpu_seconds, used.peak_bytes, 0, False)
        counted = self.cgroups is not None
        return Observed(
            ending=ending,
            wall_seconds=wall_seconds,
            cpu_seconds=used.cpu_seconds if counted else ending.cpu_seconds,
            peak_bytes=used.peak_bytes if counted else ending.peak_bytes,
            out_of_memory=used.oom_kills > 0,
            over_cpu=self.over_cpu,
        )

    def kill(self) -> None:
        """End every process, from any thread; `throw_away` then finds them gone."""
        if self.cgroups is not None:
            self.cgroups.kill()
        if (started := self._started) is not None:
            started.process.kill()

    def throw_away(self) -> None:
        """End everything; the next call gets a new runner."""
        if self._started is None:
            return
        self.kill()
        self._started.close()
        self._started = None

    def close(self) -> None:
        """End everything and leave nothing."""
        self.throw_away()
        if self.cgroups is not None:
            self.cgroups.close()


def _tree_seconds(root: int) -> float:
    """Processor time of a process and all below it, those that it has buried included."""
    ticks = 0
    for pid in (root, *below(root)):
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{pid}/stat").read_bytes()  # a process may call itself by any bytes
            fields = words.rpartition(b")")[2].split()
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _cgroups() -> Cgroups:
    try:
        place = home()
        remove_stale(place)
        _remove_old()
        return Cgroups(place)
    except (CgroupsUnavailable, OSError) as error:
        raise SandboxUnavailable(f"level full needs cgroups: {error}") from None


@lru_cache
def _remove_old() -> None:
    """Once in a process: a large machine has thousands of cgroups to look through."""
    remove_old(roots())
