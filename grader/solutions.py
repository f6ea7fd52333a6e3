"""Runs an assignment's solution, as it stands or with known mistakes in it. Trusted code only."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np

from grader.models import Assignment, Mistake, Test, Value

Results = tuple[np.ndarray, ...]


@lru_cache(maxsize=256)
def _compiled(path: Path) -> CodeType:
    return compile(path.read_text(encoding="utf-8"), str(path), "exec")


@lru_cache(maxsize=4096)
def _namespace(*paths: Path) -> dict[str, Any]:
    """The solution's names; the files after it replace some of its steps, which call each other through these names."""
    names: dict[str, Any] = {"__name__": paths[0].stem}
    for path in paths:
        exec(_compiled(path), names)
    return names


def variant(
    assignment: Assignment,
    function: str,
    mistakes: tuple[Mistake, ...] = (),
    numbers: Mapping[str, float] | None = None,
) -> Callable[..., Any]:
    """An entry point of the solution with some mistakes made, their free numbers set.

    The next call for the same mistakes with other numbers changes what this one returned.
    """
    names = _namespace(assignment.folder / "solution.py", *(mistake.source for mistake in mistakes))
    names.update(numbers or {})
    return names[function]


def evaluate(
    assignment: Assignment,
    test: Test,
    arguments: Mapping[str, Value],
    mistakes: tuple[Mistake, ...] = (),
    numbers: Mapping[str, float] | None = None,
    dtype: str | None = None,
) -> Results | None:
    """What the solution with these mistakes gives, float inputs in `dtype` if there is one; None when it raises."""
    call = variant(assignment, test.function, mistakes, numbers)
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            given = call(**{name: _copy(value, dtype) for name, value in arguments.items()})
            return tuple(np.asarray(part) for part in (given if isinstance(given, tuple) else (given,)))
    except Exception:
        if mistakes:
            return None  # a mistake may well raise, on shapes that do not fit any more
        raise


def expected(assignment: Assignment, test: Test, arguments: Mapping[str, Value]) -> Results:
    """The right answer: the solution in float64 on float64 copies of the arguments."""
    results = evaluate(assignment, test, arguments, dtype="float64")
    assert results is not None
    return results


def _copy(value: Value, dtype: str | None) -> Value:
    """Its own copy, as mistakes may write into what they are given; numbers that are not floats keep their dtype."""
    if not isinstance(value, np.ndarray):
        return value
    return value.astype(dtype if dtype and value.dtype.kind == "f" else value.dtype, copy=True)
