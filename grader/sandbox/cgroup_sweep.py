"""Removes the sets of cgroups that dead graders left under parents which are not ours.

There `/proc` does not say who lives: the maker may be in a container with process numbers of its own. So nothing is
ended there. A folder goes when it has our name, is older than any run may be, and is empty: the kernel itself refuses
to remove one with a process in it.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterable
from pathlib import Path

_NAME = re.compile(r"grader-\d+-\d+-\d+")
OLD_SECONDS = 3600.0  # a set lives for one run, of at most run_seconds or compile_seconds: minutes


def remove_old(roots: Iterable[Path], now: float | None = None) -> int:
    """Remove old empty sets anywhere below the roots. Gives how many folders."""
    latest = (time.time() if now is None else now) - OLD_SECONDS
    return sum(_removed(Path(path), latest) for root in roots for path, _, _ in os.walk(root))


def _removed(folder: Path, latest: float) -> bool:
    if _NAME.fullmatch(folder.name) is None:
        return False
    with contextlib.suppress(OSError):  # not ours to remove, in use, or gone
        if folder.stat().st_mtime < latest:
            folder.rmdir()
            return True
    return False
