"""The numbers of a problem, and the answer in float64 that every engine must give before it is timed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from shapes import Shape

# Largest error allowed, as a share of the largest expected value. Wide enough for sums in any order, too narrow
# for an engine that quietly computes in the next narrower type.
TOLERANCE = {"float64": 1e-11, "float32": 5e-5, "float16": 2e-3, "bfloat16": 2.5e-2}


class WrongAnswer(Exception):
    """An engine's output is not the attention of the problem."""


@dataclass(frozen=True)
class Problem:
    """``query`` (B, H, Q, D), ``key`` and ``value`` (B, Hkv, K, D); at most one of ``keep`` and ``bias`` is given.

    ``keep`` (True: may be attended) is (B, 1, 1, K) for padding and (Q, K) for causal as a dense array; ``bias`` is
    (1, H, Q, K) in float32. ``shape.mask == "causal"`` asks for the engine's own causal mask.
    """

    shape: Shape
    query: np.ndarray
    key: np.ndarray
    value: np.ndarray
    keep: np.ndarray | None = None
    bias: np.ndarray | None = None


def numpy_dtype(name: str) -> np.dtype:
    """NumPy's dtype of that name; bfloat16 is the one of ml_dtypes."""
    if name != "bfloat16":
        return np.dtype(name)
    import ml_dtypes

    return np.dtype(ml_dtypes.bfloat16)


def make_problem(shape: Shape, seed: int = 0) -> Problem:
    rng = np.random.default_rng(seed)
    queries = (shape.batch, shape.heads, shape.queries, shape.width)
    keys = (shape.batch, shape.kv_heads, shape.keys, shape.width)
    q, k, v = (
        rng.standard_normal(s, dtype=np.float32).astype(numpy_dtype(shape.dtype))
        for s in (queries, keys, keys)
    )
    return Problem(shape, q, k, v, keep=_keep(shape, rng), bias=_bias(shape, rng))


def _keep(shape: Shape, rng: np.random.Generator) -> np.ndarray | None:
    if shape.mask == "padding":
        lengths = rng.integers(shape.keys // 2, shape.keys, size=shape.batch, endpoint=True)
        return (np.arange(shape.keys) < lengths[:, None])[:, None, None, :]
    if shape.mask == "causal-array":
        return np.tri(shape.queries, shape.keys, dtype=bool)
    return None


def _bias(shape: Shape, rng: np.random.Generator) -> np.ndarray | None:
    if shape.mask != "bias":
        return None
    return rng.standard_normal((1, shape.heads, shape.queries, shape.keys), dtype=np.float32)


def expected_row(problem: Problem, batch: int, head: int, query: int) -> np.ndarray:
    """softmax(q · Kᵀ / √d + bias, masked) · V for one query, in float64, as the formula says it."""
    shape = problem.shape
    kv_head = head // (shape.heads // shape.kv_heads)
    key, value = (a[batch, kv_head].astype(np.float64) for a in (problem.key, problem.value))
    scores = key @ problem.query[batch, head, query].astype(np.float64) / np.sqrt(shape.width)
    if problem.bias is not None:
        scores += problem.bias[0, head, query]
    scores[~_visible(problem, batch, query)] = -np.inf
    weights = np.exp(scores - scores.max())
    return weights @ value / weights.sum()


def _visible(problem: Problem, batch: int, query: int) -> np.ndarray:
    shape = problem.shape
    if shape.mask == "causal":
        return np.arange(shape.keys) <= query
    if problem.keep is None:
        return np.ones(shape.keys, dtype=bool)
    full = (shape.batch, 1, shape.queries, shape.keys)
    return np.broadcast_to(problem.keep, full)[batch, 0, query]


def error(problem: Problem, output: np.ndarray, rows: int = 24, seed: int = 1) -> float:
    """Largest error over a sample of rows (first and last among them), as a share of the largest expected value."""
    shape = problem.shape
    full = (shape.batch, shape.heads, shape.queries, shape.width)
    if output.shape != full:
        raise WrongAnswer(f"output has shape {output.shape}, expected {full}")
    rng = np.random.default_rng(seed)
    sample = rng.integers(0, full[:3], size=(rows, 3))
    sample[0], sample[-1] = 0, np.array(full[:3]) - 1
    expected = np.stack([expected_row(problem, *row) for row in sample])
    got = np.stack([output[tuple(row)] for row in sample]).astype(np.float64)
    return float(np.abs(got - expected).max() / np.abs(expected).max())


def check(problem: Problem, output: np.ndarray) -> float:
    """The error of ``output``; raises WrongAnswer where it is more than the precision explains (or is NaN)."""
    found = error(problem, output)
    allowed = TOLERANCE[problem.shape.dtype]
    if not found <= allowed:
        raise WrongAnswer(
            f"error {found:.2e} of the largest value, allowed for {problem.shape.dtype}: {allowed:.0e}"
        )
    return found
