"""``python -m pyattn``: what this installation runs on, and whether it computes the right thing there."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import pyattn

# batch, query heads, key heads, queries, keys, width: full and partial blocks of both kinds of kernel
SHAPES = {
    "many queries": (2, 6, 3, 131, 149, 40),
    "one query": (1, 8, 2, 1, 519, 64),
    "odd sizes": (1, 3, 1, 5, 7, 3),
}
TOLERANCES = {"float64": 1e-13, "float32": 2e-6, "float16": 2e-3}


class Problem(NamedTuple):
    """A small attention problem and its answer by the formula."""

    name: str
    inputs: tuple[np.ndarray, np.ndarray, np.ndarray]
    options: dict[str, Any]
    exact: np.ndarray
    tolerance: float

    def error(self, attend: Callable[..., np.ndarray]) -> float:
        """Return how far attend's answer is from the formula's, as a multiple of the tolerance."""
        difference = np.abs(attend(*self.inputs, **self.options) - self.exact).max()
        return float(difference / self.tolerance)


def formula(
    query: np.ndarray, key: np.ndarray, value: np.ndarray, keep: np.ndarray, bias: np.ndarray
) -> np.ndarray:
    """softmax(query · keyᵀ / √width + bias) · value over the keys that ``keep`` marks, in float64."""
    query, key, value = (x.astype(np.float64) for x in (query, key, value))
    group = query.shape[-3] // key.shape[-3]
    key, value = (x.repeat(group, axis=-3) for x in (key, value))
    scores = query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1]) + bias
    scores = np.where(keep, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ value


def problems() -> Iterator[Problem]:
    """Yield every shape in every precision: unmasked, causal, with a mask and a bias."""
    random = np.random.default_rng(7)
    for shape in SHAPES:
        for dtype in TOLERANCES:
            yield from _variants(random, shape, dtype)


def _variants(random: np.random.Generator, shape: str, dtype: str) -> Iterator[Problem]:
    batch, heads, kv_heads, queries, keys, width = SHAPES[shape]
    query = random.standard_normal((batch, heads, queries, width)).astype(dtype)
    key = random.standard_normal((batch, kv_heads, keys, width)).astype(dtype)
    value = random.standard_normal((batch, kv_heads, keys, width)).astype(dtype)
    some = random.random((batch, 1, queries, keys)) < 0.7
    some[..., 0] = True  # a query that sees no key has no answer by the formula
    bias = random.standard_normal((1, heads, queries, keys)).astype(np.float32)
    if dtype == "float64":
        bias = bias.astype(np.float64)
    triangle = np.tri(queries, keys, keys - queries, dtype=bool)
    none, every = np.zeros_like(bias), np.ones_like(triangle)
    variants: dict[str, tuple[dict[str, Any], np.ndarray, np.ndarray]] = {
        "unmasked": ({}, every, none),
        "causal": ({"mask": pyattn.causal()}, triangle, none),
        "mask and bias": ({"mask": some, "bias": bias}, some, bias),
    }
    for name, (options, keep, added) in variants.items():
        exact = formula(query, key, value, keep, added)
        yield Problem(f"{shape}, {dtype}, {name}", (query, key, value), options, exact, TOLERANCES[dtype])


def self_check(attend: Callable[..., np.ndarray] = pyattn.attention) -> bool:
    """Print, for every instruction set of this machine, how near attend is to the formula; return whether all is well.

    Parameters
    ----------
    attend : callable, default `pyattn.attention`
    """
    checked = list(problems())
    passed = True
    for isa in pyattn.available_isas():
        with pyattn.use_isa(isa):
            errors = {problem.name: problem.error(attend) for problem in checked}
        wrong = {name: error for name, error in errors.items() if not error <= 1}  # NaN is wrong, too
        passed = passed and not wrong
        verdict = f"{len(wrong)} WRONG" if wrong else "correct"
        print(
            f"{isa:<16} {len(errors)} problems, {verdict}; largest error {max(errors.values()):.2f} of the tolerance"
        )
        for name, error in wrong.items():
            print(f"    {name}: {error:.3g} times the tolerance")
    return passed


def main() -> int:
    """Print the configuration and the self-check; return the exit code."""
    argparse.ArgumentParser(prog="python -m pyattn", description=__doc__.partition(": ")[2]).parse_args()
    try:
        return _report()
    except BrokenPipeError:  # who reads has enough; nothing more is to be flushed
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _report() -> int:
    pyattn.show_config()
    print("\nSelf-check against the formula in float64")
    passed = self_check()
    sys.stdout.flush()
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
