"""The same conditions for every engine: threads, cores, and no leftovers of the environment that slow one of them."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

# Set on some machines to keep an old OpenBLAS from crashing; they make a current NumPy several times slower.
SLOWING = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
THREAD_COUNTS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "PYATTN_NUM_THREADS", "NPROC")


def cores() -> list[int]:
    """The cores that this process may use."""
    return sorted(os.sched_getaffinity(0))


def wanted_environment(environment: dict[str, str], threads: int) -> dict[str, str]:
    """``environment`` without what slows NumPy, and with the same number of threads for every library."""
    kept = {name: value for name, value in environment.items() if name not in SLOWING}
    return kept | dict.fromkeys(THREAD_COUNTS, str(threads))


def settle(threads: int | None = None) -> int:
    """Bind the process to ``threads`` cores (default: all it has), starting it anew if its environment must change.

    Libraries read the environment when they are loaded, so it cannot be changed under them. Returns the threads.
    """
    allowed = cores()
    threads = threads or len(allowed)
    if threads > len(allowed):
        raise SystemExit(f"--threads {threads}: this process may use {len(allowed)} cores")
    # An engine that asks the system for its number of threads gets as many as the others.
    os.sched_setaffinity(0, allowed[:threads])
    environment = wanted_environment(dict(os.environ), threads)
    if environment != dict(os.environ):
        sys.stdout.flush()
        os.execve(sys.executable, sys.orig_argv, environment)
    return threads


def machine(threads: int) -> dict:
    return {
        "processor": _processor(),
        "threads": threads,
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    named = {name.strip(): value.strip() for name, value in fields.items()}
    family = ", ".join(f"{key} {named[key]}" for key in ("cpu family", "model") if key in named)
    return f"{named.get('model name', platform.machine())} ({family})" if family else platform.machine()
