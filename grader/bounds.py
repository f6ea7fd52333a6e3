"""How far a right answer may lie from the exact one, element by element.

The bounds follow from the arguments: with u the unit roundoff of the inputs' dtype, every honest way to compute in
that dtype (any order of summation, einsum or loops, blocks with a running maximum, with or without FMA) stays below
them, by a factor of 2 to 4 at the least. There is no absolute tolerance in them: where the exact weight is 0 only a
subnormal number is forgiven.

Sums use the probabilistic form of the usual bound (Higham and Mary, 2019): n roundings of independent signs add up to
about √n·u and not to n·u.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from grader.models import Value

Results = tuple[np.ndarray, ...]
Arguments = Mapping[str, Value]

CHUNK = 1 << 22  # elements of a block of scores: what the bound of a long sequence may hold at a time
FUNCTIONS = 16.0  # roundings of exp (a fast one is off by some ulp), division, subtraction, the last rounding


def of(name: str, arguments: Arguments, expected: Results) -> Results:
    """The largest honest error of every element of the results.

    Parameters
    ----------
    name : str
        One of `BOUNDS`: what the function computes.
    arguments : mapping of str to value
        As they were handed to the student.
    expected : tuple of float64 arrays
        The exact results.
    """
    return BOUNDS[name](arguments, expected)


def within(results: Results, expected: Results, allowed: Results) -> bool:
    """Whether all results have the right shapes and errors no larger than allowed. NaN is never within."""
    if len(results) != len(expected):
        return False
    return all(
        got.shape == exact.shape and bool(np.all(errors(got, exact) <= bound))
        for got, exact, bound in zip(results, expected, allowed, strict=True)
    )


def errors(got: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """|got − exact| in float64; 0 for the same infinity, NaN where one of them is NaN."""
    got, exact = np.asarray(got, np.float64), np.asarray(exact, np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        return np.where(got == exact, 0.0, np.abs(got - exact))


def roundoff(arguments: Arguments) -> float:
    """The unit roundoff of the coarsest float array among the arguments.

    Twice that for float64: there the answer that is called exact was computed with the same roundoff.
    """
    floats = [value.dtype for value in arguments.values() if isinstance(value, np.ndarray) and value.dtype.kind == "f"]
    u = max((float(np.finfo(dtype).eps) for dtype in floats), default=float(np.finfo(np.float64).eps)) / 2
    return 2 * u if u < 1e-12 else u


def smallest(arguments: Arguments) -> float:
    """The smallest normal number of that dtype: below it numbers may be flushed to zero."""
    single = roundoff(arguments) > 1e-12
    return float(np.finfo(np.float32 if single else np.float64).tiny)


def terms(count: int) -> float:
    """The roundings of a sum of so many terms that one has to reckon with."""
    return min(float(count), 4.0 + 2.0 * count**0.5)


def _exact(arguments: Arguments, expected: Results) -> Results:
    return tuple(np.zeros_like(result) for result in expected)


def _softmax(arguments: Arguments, expected: Results) -> Results:
    """w·(E_i + Σ w_j E_j + sum and exp), E_j = u·(|x_j| + |max|): x − max, or x − log Σ exp, is rounded once."""
    (weights,) = expected
    axis = int(arguments.get("axis", -1))  # type: ignore[arg-type]
    x = np.asarray(arguments["x"], np.float64)
    size = np.where(weights > 0, np.abs(x), 0.0)
    top = size.max(axis=axis, keepdims=True, where=weights > 0, initial=0.0)
    return (_weights_bound(weights, size + top, axis, arguments),)


def _weights_bound(weights: np.ndarray, wobble: np.ndarray, axis: int, arguments: Arguments) -> np.ndarray:
    """The bound of softmax weights whose scores are off by u·wobble."""
    u = roundoff(arguments)
    relative = u * (wobble + (weights * wobble).sum(axis=axis, keepdims=True) + _rounds(weights.shape[axis]))
    return np.minimum(weights * np.expm1(relative), 1.0) + 2 * smallest(arguments)


def _rounds(count: int) -> float:
    """Roundings of one weight beside its score: exp and the sum, three times over for a rescaled running sum."""
    return FUNCTIONS + 3.0 * terms(count)


BOUNDS: Mapping[str, Callable[[Arguments, Results], Results]] = {"exact": _exact, "softmax": _softmax}
