"""One fresh set of cgroups per run, below the grader's own: limits, counters, and an end for everything in it.

Version 2 where its controllers are there, else version 1. A set is named after the process that made it, so that
the sets of graders that died can be told from those in use and removed.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from .cgroup_home import NEEDED, CgroupsUnavailable, Home

_PREFIX = "grader-"
_PATIENCE_SECONDS = 3.0
_serial = itertools.count()


@dataclass(frozen=True)
class Counters:
    """What the kernel counted."""

    cpu_seconds: float
    peak_bytes: int
    memory_bytes: int
    oom_kills: int
    refused_forks: int


class Cgroups:
    """A set of cgroups for one sandbox. Close it: nothing stays."""

    def __init__(self, place: Home) -> None:
        self.version = place.version
        name = f"{_PREFIX}{os.getpid()}-{_started(os.getpid())}-{next(_serial)}"
        if self.version == 2:
            _enable(place.folders["memory"])
        self._at = {controller: folder / name for controller, folder in place.folders.items()}
        try:
            for folder in self.folders:
                folder.mkdir()
        except OSError as error:
            self.close()
            raise CgroupsUnavailable(f"cannot make a cgroup: {error}") from None
        self._peak_file: int | None = None

    @property
    def folders(self) -> tuple[Path, ...]:
        """Every folder of the set, once."""
        return tuple(dict.fromkeys(self._at.values()))

    @property
    def procs(self) -> tuple[str, ...]:
        """The files that a process writes its number to, to be in the set."""
        return tuple(str(folder / "cgroup.procs") for folder in self.folders)

    def limit(self, memory_bytes: int, processes: int) -> None:
        """Set the most that may be held, swap included, and run at once. May be called again."""
        _write(self._at["pids"] / "pids.max", processes)
        memory = self._at["memory"]
        if self.version == 2:
            _write(memory / "memory.max", memory_bytes)
            _write_if_there(memory / "memory.swap.max", 0)
            return
        both = [memory / "memory.limit_in_bytes", memory / "memory.memsw.limit_in_bytes"]
        if both[1].exists() and _number(both[1]) < memory_bytes:
            both.reverse()  # the sum with swap may never be below the part without
        for file in both:
            _write_if_there(file, memory_bytes)

    def forget_peak(self) -> None:
        """Let the peak begin anew, where the kernel can (version 1, and version 2 since Linux 6.12)."""
        memory = self._at["memory"]
        if self.version == 1:
            _write(memory / "memory.max_usage_in_bytes", 0)
        elif (memory / "memory.peak").exists():
            self._reset_peak(memory / "memory.peak")

    def _reset_peak(self, file: Path) -> None:
        """In version 2 a peak begins anew for the descriptor that wrote to it."""
        with contextlib.suppress(OSError):
            if self._peak_file is None:
                self._peak_file = os.open(file, os.O_RDWR)
            os.write(self._peak_file, b"reset")

    def counters(self) -> Counters:
        """Read all of them."""
        memory, pids, cpu = (self._at.get(name) for name in ("memory", "pids", "cpuacct"))
        assert memory and pids
        if self.version == 2:
            seconds = _keyed(memory / "cpu.stat").get("usage_usec", 0) / 1e6
            peak, now = self._peak(memory), _number(memory / "memory.current")
            kills = _keyed(memory / "memory.events").get("oom_kill", 0)
        else:
            seconds = _number(cpu / "cpuacct.usage") / 1e9 if cpu else 0.0
            peak, now = (
                _number(memory / "memory.max_usage_in_bytes"),
                _number(memory / "memory.usage_in_bytes"),
            )
            kills = _keyed(memory / "memory.oom_control").get("oom_kill", 0)
        return Counters(seconds, peak, now, kills, _keyed(pids / "pids.events").get("max", 0))

    def held_bytes(self) -> int:
        """What is held now and cannot be given back.

        Without what is cached of files: a call could have read many, and the next one have their room besides its own.
        """
        memory = self._at["memory"]
        parts = _keyed(memory / "memory.stat")
        cached = parts.get("file" if self.version == 2 else "cache", 0) - parts.get("shmem", 0)
        return max(0, self.counters().memory_bytes - max(0, cached))

    def _peak(self, memory: Path) -> int:
        if self._peak_file is not None:
            return int(os.pread(self._peak_file, 64, 0))
        return _number(memory / "memory.peak") if (memory / "memory.peak").exists() else 0

    def kill(self) -> None:
        """End every process of the set."""
        _kill(self.folders)

    def close(self) -> None:
        """End everything and remove the set."""
        if getattr(self, "_peak_file", None) is not None:
            os.close(self._peak_file)  # type: ignore[arg-type]
            self._peak_file = None
        _remove(self.folders)


def remove_stale(place: Home) -> int:
    """Remove the sets that graders left which are no more. Gives how many folders."""
    gone = [
        folder
        for parent in dict.fromkeys(place.folders.values())
        for folder in parent.glob(f"{_PREFIX}*-*-*")
        if not _maker_lives(folder.name)
    ]
    _remove(tuple(gone))
    return len(gone)


def _maker_lives(name: str) -> bool:
    pid, started, _ = name.removeprefix(_PREFIX).split("-", 2)
    return pid.isdigit() and _started(int(pid)) == started


def _started(pid: int) -> str:
    """When a process started, in ticks since boot: pids come again, these pairs do not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return ""


def _enable(folder: Path) -> None:
    """Version 2: hand the controllers down. Only a cgroup without processes of its own may do so."""
    control = folder / "cgroup.subtree_control"
    if set(NEEDED) <= set(control.read_text().split()):
        return
    try:
        _write(control, "+memory +pids")
    except OSError:
        _step_aside(folder)
        try:
            _write(control, "+memory +pids")
        except OSError as error:
            raise CgroupsUnavailable(
                f"{folder} does not hand its controllers down ({error.strerror}); start the grader with "
                "`systemd-run --user --scope -p Delegate=yes`"
            ) from None


def _step_aside(folder: Path) -> None:
    """Move this process into a leaf. Others that share the cgroup are not ours to move."""
    if (folder / "cgroup.procs").read_text().split() != [str(os.getpid())]:
        return
    with contextlib.suppress(OSError):
        leaf = folder / "grader"
        leaf.mkdir(exist_ok=True)
        _write(leaf / "cgroup.procs", os.getpid())


def _kill(folders: tuple[Path, ...]) -> bool:
    """True when all are empty."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    for folder in folders:
        _write_if_there(folder / "pids.max", 0)  # nobody forks from here on
        _write_if_there(folder / "cgroup.kill", 1)
    while living := {pid for folder in folders for pid in _pids(folder)}:
        for pid in living:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if time.monotonic() > deadline:
            return False
        time.sleep(0.001)
    return True


def _pids(folder: Path) -> list[int]:
    try:
        return [pid for word in (folder / "cgroup.procs").read_text().split() if (pid := int(word)) > 1]
    except OSError:
        return []


def _remove(folders: tuple[Path, ...]) -> None:
    _kill(tuple(folder for folder in folders if folder.exists()))
    deadline = time.monotonic() + _PATIENCE_SECONDS
    for folder in folders:
        while folder.exists():
            try:
                folder.rmdir()
            except OSError:  # the dead are still leaving
                if time.monotonic() > deadline:
                    return
                time.sleep(0.002)


def _write(file: Path, value: object) -> None:
    file.write_text(str(value))


def _write_if_there(file: Path, value: object) -> None:
    with contextlib.suppress(OSError):
        if file.exists():
            file.write_text(str(value))


def _number(file: Path) -> int:
    word = file.read_text().strip()
    return (1 << 62) if word == "max" else int(word)


def _keyed(file: Path) -> dict[str, int]:
    if not file.exists():
        return {}
    return {key: int(value) for key, value in map(str.split, file.read_text().splitlines())}
