"""One process at a time in a part of the cache."""

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(cache: Path, name: str) -> Iterator[None]:
    """Hold the lock of one entry of the cache, and clear away what a killed process has left of it.

    The system releases the lock when its holder ends, however it ends, so that whatever is half done when the lock
    has been taken belongs to nobody.
    """
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for leftover in cache.glob(f"{name}.part-*"):
            shutil.rmtree(leftover, ignore_errors=True)
        yield
