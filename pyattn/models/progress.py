"""A progress bar on standard error."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
_WIDTH = 30
_SECONDS_BETWEEN = 0.1


def with_progress(items: Iterable[Item], total: int, title: str) -> Iterator[Item]:
    """Yield items and draw how many of ``total`` are done; the last line stays."""
    begin = drawn = time.monotonic()
    _draw(title, 0, total, 0.0)
    for done, item in enumerate(items, start=1):
        yield item
        now = time.monotonic()
        if done == total or now - drawn >= _SECONDS_BETWEEN:
            _draw(title, done, total, now - begin)
            drawn = now
    print(file=sys.stderr)


def _draw(title: str, done: int, total: int, seconds: float) -> None:
    filled = _WIDTH * done // max(total, 1)
    bar = "█" * filled + "·" * (_WIDTH - filled)
    rate = f"{done / seconds:.1f}/s" if seconds > 0 else ""
    print(f"\r{title} {bar} {done}/{total} {rate:<10}", end="", file=sys.stderr, flush=True)
