"""The trusted process inside: forks a child for every call and alone talks to the grader.

It never runs a byte of a submission. Where the sandbox gives it a process namespace of its own it is process 1
there: no signal from within can stop or kill it, and one `kill(-1)` ends all that a call has left behind.
"""

from __future__ import annotations

import ctypes
import math
import mmap
import os
import select
import signal
import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy  # noqa: F401  (here, so that no child has to wait for it)

from . import child, protocol
from .leftovers import descendants, empty_folders, end_everyone
from .printed import Printed

_PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 4, 36
_WATCH_SECONDS = 0.02
_SIZES = ("RssAnon", "RssShmem", "VmPTE")
_NOTE_BYTES = 1024  # what the kernel keeps of a file, about


@dataclass(frozen=True)
class Place:
    """Where things are in this sandbox."""

    submission: Path
    scratch: tuple[Path, ...]  # folders that a call may fill
    contained: bool  # a process namespace of our own


def harden() -> None:
    """Nobody but us opens our descriptors or memory through /proc; and orphans come to us to be buried."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # of process 1, signals without a handler are ignored


def main(channel: int, place: Place) -> None:
    """Serve the grader until it hangs up."""
    harden()
    if place.contained and os.getpid() != 1:
        raise SystemExit("the runner must be process 1 of its own namespace")
    os.closerange(3, channel)
    os.closerange(channel + 1, 4096)
    with socket.socket(fileno=channel) as grader:
        grader.send(protocol.READY)
        while True:
            packet, descriptors, _, _ = socket.recv_fds(grader, protocol.PACKET_BYTES, 4)
            if not packet:
                return
            if packet == protocol.STOP:
                continue  # it came when the child had just ended
            ending = serve(protocol.Order.unpack(packet), descriptors, grader, place)
            grader.send(ending.pack())


def serve(
    order: protocol.Order, descriptors: list[int], grader: socket.socket, place: Place
) -> protocol.Ending:
    """Fork a child for one call, watch it, clean up behind it."""
    arena = mmap.mmap(descriptors[0], order.arena_bytes)
    filled = os.fstat(descriptors[0]).st_blocks * 512
    pipe, end_of_child = os.pipe()
    pid = os.fork()
    if pid == 0:
        child.live(order, arena, end_of_child, descriptors[1:], place.submission)
    for descriptor in (end_of_child, *descriptors):
        os.close(descriptor)
    printed = Printed(pipe, order.printed_bytes)
    watch = Watch(order, pid, printed, grader, place, filled)
    try:
        return watch.until_the_end(arena)
    finally:
        os.close(pipe)
        arena.close()


class Watch:
    """One child from its birth until nothing of it is left."""

    def __init__(
        self,
        order: protocol.Order,
        pid: int,
        printed: Printed,
        grader: socket.socket,
        place: Place,
        filled: int,  # bytes of the arena that are there from the beginning, and not the child's
    ) -> None:
        self.order, self.pid, self.printed, self.grader, self.place = order, pid, printed, grader, place
        self.filled = filled
        self.peak = 0

    def until_the_end(self, arena: mmap.mmap) -> protocol.Ending:
        """Wait, end what is left, keep what was printed."""
        stopped = self._wait()
        if stopped is not None:
            os.kill(self.pid, signal.SIGKILL)
        _, status, usage = os.wait4(self.pid, 0)
        gone = end_everyone(self.place.contained)
        self.printed.drain(1 << 24)
        kept = self.printed.kept()[: self.order.printed_bytes + 64]
        arena[self.order.printed_at : self.order.printed_at + len(kept)] = kept
        how, code = _reading(status) if stopped is None else (stopped, 0)
        return protocol.Ending(
            how=how,
            code=code,
            cpu_seconds=usage.ru_utime + usage.ru_stime,
            peak_bytes=max(self.peak, usage.ru_maxrss * 1024),
            printed_bytes=len(kept),
            clean=gone and empty_folders(self.place.scratch),
        )

    def _wait(self) -> int | None:
        """None when the child ended by itself, else why it must be ended now."""
        deadline = time.monotonic() + self.order.wall_seconds
        handle = os.pidfd_open(self.pid)
        try:
            while (left := deadline - time.monotonic()) > 0:
                step = min(left, _WATCH_SECONDS) if self.order.memory_bytes else left
                ready = self._ready(handle, step)
                if handle in ready:
                    return None
                if self.grader.fileno() in ready:
                    self.grader.recv(protocol.PACKET_BYTES)
                    return protocol.STOPPED
                if self.order.memory_bytes and self._memory() > self.order.memory_bytes:
                    return protocol.TOO_MUCH_MEMORY
            return protocol.TIMED_OUT
        finally:
            os.close(handle)

    def _ready(self, handle: int, seconds: float) -> set[int]:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        poll.register(self.grader, select.POLLIN)
        if self.printed.open:
            poll.register(self.printed.pipe, select.POLLIN)
        ready = {descriptor for descriptor, _ in poll.poll(math.ceil(seconds * 1000))}
        self.printed.drain()
        return ready

    def _memory(self) -> int:
        """What all processes of the call hold together, without a cgroup to count it."""
        own, _ = _resident(os.getpid())  # what every child begins with is shared with us
        held = sum(map(_in_files, self.place.scratch)) if self.place.contained else 0
        for pid in descendants(self.place.contained):
            private, shared = _resident(pid)
            held += max(0, private - own) + max(0, shared - self.filled)
        self.peak = max(self.peak, held)
        return held


def _resident(pid: int) -> tuple[int, int]:
    """Bytes of private memory, with the tables that map it, and of shared memory."""
    try:
        lines = (
            Path(f"/proc/{pid}/status").read_text(errors="replace").splitlines()
        )  # any bytes may be a name
    except OSError:
        return 0, 0
    sizes = {name: int(line.split()[1]) << 10 for line in lines if (name := line.partition(":")[0]) in _SIZES}
    return sizes.get("RssAnon", 0) + sizes.get("VmPTE", 0), sizes.get("RssShmem", 0)


def _in_files(folder: Path) -> int:
    """Bytes of memory that a folder's files and the notes on them take, mapped or not."""
    space = os.statvfs(folder)
    return (space.f_blocks - space.f_bfree) * space.f_frsize + (space.f_files - space.f_ffree) * _NOTE_BYTES


def _reading(status: int) -> tuple[int, int]:
    if os.WIFSIGNALED(status):
        return protocol.KILLED, os.WTERMSIG(status)
    return protocol.EXITED, os.WEXITSTATUS(status)


def start(arguments: list[str]) -> None:
    """Begin with the words that the grader put on the command line."""
    channel, contained, submission, *scratch = arguments
    place = Place(Path(submission), tuple(map(Path, scratch)), contained == "contained")
    sys.argv = ["submission"]
    main(int(channel), place)
