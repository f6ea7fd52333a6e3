"""A processor core for one timed run at a time: whoever measures on this machine asks here first."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import time
from collections.abc import Iterator, Sequence

log = logging.getLogger(__name__)

WAIT_SECONDS = 60.0  # for a core, when all are taken; then two runs share one, and their reports say so
_POLL_SECONDS = 0.2


@contextlib.contextmanager
def claimed(cpu: int | None = None) -> Iterator[int]:
    """Take a core that no other grader measures on: this one, or the last free one of those allowed.

    The last ones come first, as the first ones serve the machine's interrupts.
    """
    wanted = sorted(os.sched_getaffinity(0), reverse=True) if cpu is None else [cpu]
    found, lock = _wait_for(wanted)
    try:
        yield found
    finally:
        if lock:
            lock.close()


def _wait_for(wanted: Sequence[int]) -> tuple[int, socket.socket | None]:
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        for cpu in wanted:
            if lock := _lock(cpu):
                return cpu, lock
        if time.monotonic() > deadline:
            log.warning(
                "other graders measure on every core: this run shares core %d with one of them", wanted[0]
            )
            return wanted[0], None
        time.sleep(_POLL_SECONDS)


def _lock(cpu: int) -> socket.socket | None:
    """A name that only one process of the machine can have, and that is free again when its holder dies."""
    lock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    try:
        lock.bind(f"\0pyattn-grader-core-{cpu}")
    except OSError:
        lock.close()
        return None
    return lock
