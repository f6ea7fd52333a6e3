"""Attention as the formula is written, in NumPy: the whole table of scores is stored."""

from __future__ import annotations

import numpy as np
from problems import Problem

from engines import Call


class NumPy:
    name = "numpy"
    version = np.__version__

    def __init__(self, threads: int) -> None:
        self.threads = threads  # BLAS took it from the environment when it was loaded

    def calls(self, problem: Problem) -> dict[str, Call]:
        return {"unfused": Call(lambda: naive(problem))}


def naive(problem: Problem) -> np.ndarray:
    shape = problem.shape
    wide: type = (
        np.float64 if shape.dtype == "float64" else np.float32
    )  # matmul of half types is a scalar loop
    group = shape.heads // shape.kv_heads
    q: np.ndarray = problem.query.astype(wide, copy=False).reshape(
        shape.batch, shape.kv_heads, group, shape.queries, shape.width
    )
    k: np.ndarray = problem.key.astype(wide, copy=False)[:, :, None]
    v: np.ndarray = problem.value.astype(wide, copy=False)[:, :, None]
    scores = q @ k.swapaxes(-1, -2)
    scores *= wide(1 / np.sqrt(shape.width))
    scores = _mask(problem, scores.reshape(shape.batch, shape.heads, shape.queries, shape.keys))
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    out = scores.reshape(*q.shape[:4], shape.keys) @ v
    return out.reshape(problem.query.shape).astype(problem.query.dtype, copy=False)


def _mask(problem: Problem, scores: np.ndarray) -> np.ndarray:
    if problem.bias is not None:
        scores += problem.bias
    keep = problem.keep
    if problem.shape.mask == "causal":
        keep = np.tri(*scores.shape[-2:], dtype=bool)
    return scores if keep is None else np.where(keep, scores, scores.dtype.type(-np.inf))
