"""Threads and instruction sets: what pyattn uses, and how to change it."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import numpy as np

from pyattn import _core
from pyattn._version import __version__
from pyattn.whole import is_whole

_MOST_THREADS = 1024


def quota_of_cgroup(root: Path = Path("/"), pid: str = "self") -> float | None:
    """Return the processors that a container's quota allows this process, or None without one.

    The least quota on the way from the process's control group to the root counts, for version 2 (``cpu.max``) and
    version 1 (``cpu.cfs_quota_us`` over ``cpu.cfs_period_us``) alike.
    """
    quotas = []
    try:
        lines = (root / "proc" / pid / "cgroup").read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if not controllers:
            quotas += _quotas_upward(root / "sys/fs/cgroup", path, _quota_v2)
        elif "cpu" in controllers.split(","):
            for mount in ("cpu", controllers, "cpu,cpuacct"):
                quotas += _quotas_upward(root / "sys/fs/cgroup" / mount, path, _quota_v1)
    return min(quotas, default=None)


def _quotas_upward(mount: Path, path: str, read: Callable[[Path], float | None]) -> list[float]:
    folder, quotas = mount / path.lstrip("/"), []
    while True:
        # Inside a container the host's path does not exist: the mount's own root is the container's group then.
        quota = read(folder)
        if quota is not None:
            quotas.append(quota)
        if folder == mount or mount not in folder.parents:
            return quotas
        folder = folder.parent


def _quota_v2(folder: Path) -> float | None:
    try:
        quota, period = (folder / "cpu.max").read_text().split()
        return None if quota == "max" else int(quota) / int(period)
    except (OSError, ValueError, ZeroDivisionError):
        return None


def _quota_v1(folder: Path) -> float | None:
    try:
        quota = int((folder / "cpu.cfs_quota_us").read_text())
        period = int((folder / "cpu.cfs_period_us").read_text())
        return quota / period if quota > 0 else None
    except (OSError, ValueError, ZeroDivisionError):
        return None


def default_num_threads(environ: Mapping[str, str] = os.environ, root: Path = Path("/")) -> int:
    """Return min(processors this process may use, container quota, OMP_NUM_THREADS); PYATTN_NUM_THREADS overrides."""
    forced = environ.get("PYATTN_NUM_THREADS")
    if forced:
        if not forced.strip().isdecimal() or int(forced) < 1:
            raise ValueError(f"PYATTN_NUM_THREADS is {forced!r}; expected a whole number of at least 1.")
        return min(int(forced), _MOST_THREADS)
    limits = [len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1]
    quota = quota_of_cgroup(root)
    if quota is not None:
        limits.append(max(1, int(quota + 0.5)))
    openmp = environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    if openmp.isdecimal() and int(openmp) > 0:
        limits.append(int(openmp))
    return min(limits)


_num_threads = default_num_threads()
_core.set_default_threads(_num_threads)  # for callers from C, who cannot look here


def _check_threads(n: int, name: str) -> int:
    if not is_whole(n):
        raise TypeError(f"{name} is {n!r}; expected a whole number of at least 1.")
    if n < 1:
        raise ValueError(f"{name} is {n}; expected at least 1.")
    return min(int(n), _MOST_THREADS)


def set_num_threads(n: int) -> None:
    """Set how many threads a call uses from now on, unless it says ``num_threads`` itself.

    Examples
    --------
    >>> import pyattn
    >>> before = pyattn.get_num_threads()
    >>> pyattn.set_num_threads(1)
    >>> pyattn.get_num_threads()
    1
    >>> pyattn.set_num_threads(before)
    """
    global _num_threads
    _num_threads = _check_threads(n, "set_num_threads: n")
    _core.set_default_threads(_num_threads)


def get_num_threads() -> int:
    """Return how many threads a call uses that does not say ``num_threads``."""
    return _num_threads


def threads_for(num_threads: int | None) -> int:
    """The number of threads for a call with this ``num_threads``."""
    return _num_threads if num_threads is None else _check_threads(num_threads, "num_threads")


def isa() -> str:
    """Return the instruction set in use, one of :func:`available_isas`."""
    return _core.isa()


def available_isas() -> list[str]:
    """Return the instruction sets that this processor and system can run, slowest first."""
    return _core.available_isas()


@contextmanager
def use_isa(name: str) -> Iterator[None]:
    """Use instruction set ``name`` inside a ``with`` block, in the whole process.

    Raises
    ------
    TypeError
        If ``name`` is no str.
    ValueError
        If there is no such instruction set or this machine cannot run it.

    Examples
    --------
    >>> import pyattn
    >>> with pyattn.use_isa("baseline"):
    ...     pyattn.isa()
    'baseline'
    """
    if not isinstance(name, str):
        raise TypeError(f"use_isa: name is {name!r}; expected one of {', '.join(available_isas())}.")
    before = _core.isa()
    _core.select_isa(name)
    try:
        yield
    finally:
        _core.select_isa(before)


def _apply_environment(environ: Mapping[str, str] = os.environ) -> None:
    forced = environ.get("PYATTN_ISA")
    if not forced:
        return
    try:
        _core.select_isa(forced)
    except ValueError as error:
        raise ImportError(f"PYATTN_ISA: {error}; unset PYATTN_ISA to let pyattn choose.") from None


_apply_environment()


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def show_config(file: TextIO | None = None) -> None:
    """Print versions, processor, instruction sets and threads: what a bug report should say.

    Examples
    --------
    >>> import pyattn
    >>> pyattn.show_config()  # doctest: +ELLIPSIS
    pyattn ...
    """
    quota = quota_of_cgroup()
    rows = [
        ("pyattn", f"{__version__} ({os.path.dirname(_core.__file__)})"),
        ("python", f"{platform.python_version()}, numpy {np.__version__}, {platform.platform()}"),
        ("processor", _processor()),
        ("instruction set", f"{isa()} (of {', '.join(available_isas())})"),
        ("threads", f"{get_num_threads()} ({os.cpu_count()} processors, container quota {quota or 'none'})"),
    ]
    for name, text in rows:
        print(f"{name:<16}{text}", file=file or sys.stdout)
