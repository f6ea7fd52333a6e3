"""What a submission could leave on the machine, or read from it, as far as this process can tell.

The traces are told apart from those of other programs on the same machine: processes are those below this one,
cgroups have its number in their names, and what the corpus makes on purpose has `MARK` in its name.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.sandbox.cgroup_home import CgroupsUnavailable, home

MARK = "corpus-left"
_PUBLIC = ("/tmp", "/dev/shm", "/var/tmp", "/run", "/etc", "/usr", "/home", "/")
_PR_SET_CHILD_SUBREAPER = 36
_PATIENCE_SECONDS = 3.0


@dataclass(frozen=True)
class Traces:
    """Everything of one moment; two moments without a trace between them are equal."""

    processes: frozenset[int]
    cgroups: frozenset[str]
    mounts: str
    descriptors: int
    files: frozenset[str]
    sockets: frozenset[str]


def traces() -> Traces:
    """Look at everything now."""
    return Traces(
        frozenset(_below(os.getpid())),
        frozenset(_cgroups()),
        Path("/proc/self/mountinfo").read_text(),
        len(os.listdir("/proc/self/fd")),
        frozenset(f"{folder}/{name}" for folder in _PUBLIC for name in _names(folder) if MARK in name),
        frozenset(line for line in Path("/proc/net/unix").read_text().splitlines() if MARK in line),
    )


def same_again(before: Traces) -> Traces:
    """What there is once it equals `before`, or when the patience for dying processes is over."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while (now := traces()) != before and time.monotonic() < deadline:
        _bury()
        time.sleep(0.01)
    return now


@contextlib.contextmanager
def orphans_come_to_us() -> Iterator[None]:
    """Meanwhile no process below this one can slip away from it: whoever loses a parent gets this one."""
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def _cgroups() -> Iterator[str]:
    """Those that this process has made, wherever."""
    with contextlib.suppress(CgroupsUnavailable):
        for folder in dict.fromkeys(home().folders.values()):
            yield from map(str, folder.glob(f"grader-{os.getpid()}-*"))


def _below(pid: int) -> Iterator[int]:
    for child in _children(pid):
        yield child
        yield from _below(child)


def _children(pid: int) -> list[int]:
    with contextlib.suppress(OSError):
        tasks = Path(f"/proc/{pid}/task").glob("*/children")
        return [int(word) for task in tasks for word in task.read_text().split()]
    return []


def _bury() -> None:
    """Orphans that have died; children of this process are waited for by whoever started them."""
    for pid in _children(os.getpid()):
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                os.waitpid(pid, os.WNOHANG)


def _names(folder: str) -> list[str]:
    with contextlib.suppress(OSError):
        return os.listdir(folder)
    return []
