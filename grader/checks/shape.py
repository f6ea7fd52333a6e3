"""The shapes and dtypes of the results."""

from __future__ import annotations

from collections.abc import Iterator

from grader.checks.seen import Seen
from grader.models import Message


def shape(seen: Seen) -> Iterator[Message]:
    """The shape is exactly the expected one, and float64 input is not answered in float32."""
    for name, got, exact, _ in seen.named():
        if got.shape != exact.shape:
            yield Message("wrong-shape", {"result": name, "got": got.shape, "expected": exact.shape})
        elif seen.evidence.dtype == "float64" and got.dtype != "float64":
            yield Message("wrong-dtype", {"result": name, "got": str(got.dtype), "expected": "float64"})
