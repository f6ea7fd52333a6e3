"""How much memory a call took."""

from __future__ import annotations

from collections.abc import Iterator

from grader.checks.seen import Seen
from grader.models import Message

MIB = 1 << 20


def memory(seen: Seen) -> Iterator[Message]:
    """The peak, as the kernel counted it, stays within the test's limit.

    Where there is no cgroup to count (peak 0), the limit has been enforced by the address space alone.
    """
    limit = seen.evidence.test.limits.memory_bytes
    if seen.outcome.peak_bytes > limit:
        yield Message("too-much-memory", {"got": seen.outcome.peak_bytes / MIB, "limit": limit / MIB})
