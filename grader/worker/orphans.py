"""What a process is to its parent: it does not outlive it, and if it is a worker it lets the web server go first."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_NICE = 10
_libc = ctypes.CDLL(None)  # found before any fork


def end_with_parent() -> None:
    """Let Linux end this process, in order, when its parent is gone, also when that was killed.

    Between fork and exec, or in the process itself. Else the next `grader serve` finds the port taken, and workers of
    the one before beside its own.
    """
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def give_way() -> None:
    """Let others go first where all cores are busy: who grades for a minute can wait, who looks at a page cannot.

    Linux may share the cores out among sessions first, and then it is the session that must give way.
    """
    os.nice(max(0, _NICE - os.nice(0)))
    with contextlib.suppress(OSError):  # not every Linux does so
        Path("/proc/self/autogroup").write_text(str(_NICE))
