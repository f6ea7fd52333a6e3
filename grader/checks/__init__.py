"""What a result must be: one check, one function. Evidence in, findings out, nothing read from anywhere else."""

from collections.abc import Callable, Iterable, Mapping

from grader.checks.memory import memory
from grader.checks.seen import Seen
from grader.checks.shape import shape
from grader.checks.unchanged import unchanged
from grader.checks.values import values
from grader.models import Message

# Speed is not here: it takes more calls, see `grader.timing`.
CHECKS: Mapping[str, Callable[[Seen], Iterable[Message]]] = {
    "shape": shape,
    "values": values,
    "unchanged": unchanged,
    "memory": memory,
}


def run(seen: Seen) -> tuple[Message, ...]:
    """Every finding of the test's checks, the most telling first. A wrong shape leaves nothing to compare."""
    found: list[Message] = []
    for name in seen.evidence.test.checks:
        if name in CHECKS and not (name == "values" and found):
            found += CHECKS[name](seen)
    return tuple(found)


__all__ = ["CHECKS", "Seen", "run"]
