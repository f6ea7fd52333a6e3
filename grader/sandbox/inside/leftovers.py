"""Ends whatever a call has left behind: processes and files."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import time
from collections.abc import Iterable
from pathlib import Path

_PATIENCE_SECONDS = 2.0


def end_everyone(contained: bool) -> bool:
    """End and bury every process but this one. False when some would not go."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < deadline:
        _kill(contained)
        if _bury():
            return True
        time.sleep(0.001)
    return False


def _kill(contained: bool) -> None:
    if contained and os.getpid() == 1:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)  # all of this namespace at once: no fork can slip through
        return
    for pid in descendants(contained=False):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _bury() -> bool:
    """Collect the dead. True when no child is left."""
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return True
        if pid == 0:
            return False


def descendants(contained: bool) -> Iterable[int]:
    """Every process of the sandbox but this one."""
    if contained:
        return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
    return below(os.getpid())


def below(pid: int) -> list[int]:
    """Children, grandchildren and so on."""
    found, ask = [], [pid]
    while ask:
        children = _children(ask.pop())
        found += children
        ask += children
    return found


def _children(pid: int) -> list[int]:
    try:
        threads = os.listdir(f"/proc/{pid}/task")
        return [
            int(word)
            for thread in threads
            for word in Path(f"/proc/{pid}/task/{thread}/children").read_text().split()
        ]
    except OSError:
        return []


def empty_folders(folders: Iterable[Path]) -> bool:
    """Remove what the folders hold. False when something stays: the sandbox must then be thrown away."""
    return not [folder for folder in folders if not _empty(folder)]


def _empty(folder: Path) -> bool:
    try:
        for name in os.listdir(folder):
            _remove(folder / name)
        _forget(folder)
        return not os.listdir(folder)
    except (OSError, RecursionError):
        return False


def _forget(folder: Path) -> None:
    """What a call can write on an empty folder itself: its mode, its attributes, its times."""
    os.chmod(folder, 0o755)
    for name in os.listxattr(folder):
        os.removexattr(folder, name)
    os.utime(folder, (0, 0))


def _remove(path: Path) -> None:
    if stat.S_ISDIR(os.lstat(path).st_mode):
        import shutil  # seldom needed, and slow to import

        os.chmod(path, 0o700)
        shutil.rmtree(path)
    else:
        os.unlink(path)
