"""Arguments of tests: made from named recipes and a secret seed, the same ones for the same seed."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from grader.models import ArraySpec, Test, Value

DTYPES = ("float32", "float64", "bool", "int32", "int64")
Shape = tuple[int, ...]


def _normal(rng: np.random.Generator, shape: Shape, *, mean: float = 0.0, std: float = 1.0) -> np.ndarray:
    return rng.normal(mean, std, shape)


def _uniform(rng: np.random.Generator, shape: Shape, *, low: float = 0.0, high: float = 1.0) -> np.ndarray:
    return rng.uniform(low, high, shape)


def _large(rng: np.random.Generator, shape: Shape, *, size: float = 1e4) -> np.ndarray:
    """Normal numbers about ±size: exponentials overflow, and yet no row has a single winner only."""
    signs = rng.choice([-1.0, 1.0], size=shape, p=[0.3, 0.7])
    return rng.normal(size=shape) + size * signs


def _stairs(rng: np.random.Generator, shape: Shape, *, step: float = 1000.0, axis: int = -2) -> np.ndarray:
    """Normal numbers, each row `step` above the one before: no single shift suits two rows."""
    sizes = [1] * len(shape)
    sizes[axis] = shape[axis]
    return rng.normal(size=shape) + step * np.arange(shape[axis]).reshape(sizes)


def _minus_inf(
    rng: np.random.Generator,
    shape: Shape,
    *,
    share: float = 0.4,
    rows: int = 0,
    axis: int = -1,
    size: float = 1.0,
) -> np.ndarray:
    """Normal numbers with −inf strewn in; along `axis` one finite number is left, but for `rows` rows of only −inf."""
    values = rng.normal(0.0, size, shape)
    lines = np.moveaxis(values, axis, -1)  # a view: writing to it writes to `values`
    hidden = rng.random(lines.shape) < share
    np.put_along_axis(hidden, rng.integers(lines.shape[-1], size=(*lines.shape[:-1], 1)), False, axis=-1)
    rest = hidden.reshape(-1, lines.shape[-1])
    rest[rng.permutation(len(rest))[:rows]] = True
    lines[hidden] = -np.inf
    return values


def _integers(rng: np.random.Generator, shape: Shape, *, low: int = 0, high: int = 9) -> np.ndarray:
    """Whole numbers from low to high, both included, and both there when there is room."""
    values = rng.integers(low, high, size=shape, endpoint=True)
    if values.size >= 2:
        values.flat[rng.permutation(values.size)[:2]] = low, high
    return values


def _booleans(rng: np.random.Generator, shape: Shape, *, share: float = 0.5) -> np.ndarray:
    return rng.random(shape) < share


def _sequence(rng: np.random.Generator, shape: Shape, *, start: float = 0.0, step: float = 1.0) -> np.ndarray:
    return start + step * np.arange(int(np.prod(shape))).reshape(shape)


def _values(rng: np.random.Generator, shape: Shape, *, numbers: list[Any]) -> np.ndarray:
    """Exactly these: what a statement shows as its example."""
    return np.array(numbers).reshape(shape)


FILLS: Mapping[str, Callable[..., np.ndarray]] = {
    "normal": _normal,
    "uniform": _uniform,
    "large": _large,
    "stairs": _stairs,
    "minus-inf": _minus_inf,
    "integers": _integers,
    "booleans": _booleans,
    "sequence": _sequence,
    "values": _values,
}


def options_of(fill: str) -> tuple[str, ...]:
    """The names of the options that a recipe takes."""
    parameters = inspect.signature(FILLS[fill]).parameters.values()
    return tuple(p.name for p in parameters if p.kind is p.KEYWORD_ONLY)


def make_arguments(test: Test, seed: int) -> dict[str, Value]:
    """Every argument of a test, by name.

    Each array has a generator of its own, from the seed and the names of assignment, test and argument: a test that
    is added or moved changes no other test's inputs.
    """
    return {name: _make(test, name, spec, seed) for name, spec in test.arguments.items()}


def _make(test: Test, name: str, spec: ArraySpec | Value, seed: int) -> Value:
    if not isinstance(spec, ArraySpec):
        return spec
    rng = np.random.default_rng(
        np.random.SeedSequence(seed, spawn_key=_words(test.assignment, test.id, name))
    )
    return fill(spec, rng)


def fill(spec: ArraySpec, rng: np.random.Generator) -> np.ndarray:
    """One array as its recipe says."""
    values = FILLS[spec.fill](rng, spec.shape, **spec.options)
    return np.ascontiguousarray(values, dtype=spec.dtype).reshape(spec.shape)


def _words(*names: str) -> tuple[int, ...]:
    """The names as the whole numbers that SeedSequence takes."""
    digest = hashlib.sha256("\0".join(names).encode()).digest()
    return tuple(int.from_bytes(digest[i : i + 4], "little") for i in range(0, 16, 4))
