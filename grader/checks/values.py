"""The numbers themselves: every element within the error that honest arithmetic can make."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grader import bounds
from grader.checks.seen import Seen
from grader.messages import place
from grader.models import Message


def values(seen: Seen) -> Iterator[Message]:
    """|got − exact| ≤ bound, element by element, on plain float64 copies. NaN is never within a bound."""
    for name, got, exact, allowed in seen.named():
        axes = seen.function.axes[name]
        yield from _finding(name, axes, np.asarray(got, np.float64), exact, allowed)


def _finding(
    name: str, axes: tuple[str, ...], got: np.ndarray, exact: np.ndarray, allowed: np.ndarray
) -> Iterator[Message]:
    error = bounds.errors(got, exact)
    wrong = ~(error <= allowed)
    if not wrong.any():
        return
    for code, which in (("nan-where-none-belongs", np.isnan(got)), ("inf-where-none-belongs", np.isinf(got))):
        if (wrong & which).any():
            yield Message(code, _where(name, axes, wrong & which, exact))
            return
    index = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
    bound = float(allowed[index])
    yield Message(
        "wrong-values",
        _where(name, axes, wrong, exact)
        | {
            "got": float(got[index]),
            "error": float(error[index]),
            "bound": bound,
            "times": float(error[index]) / bound if bound else float("inf"),
        },
    )


def _where(name: str, axes: tuple[str, ...], wrong: np.ndarray, exact: np.ndarray) -> dict[str, object]:
    index = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
    return {
        "result": name,
        "count": int(wrong.sum()),
        "total": wrong.size,
        "index": place(axes, [int(i) for i in index]),
        "expected": float(exact[index]),
    }
