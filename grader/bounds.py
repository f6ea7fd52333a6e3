"""How far a right answer may lie from the exact one, element by element.

The bounds follow from the arguments: with u the unit roundoff of the inputs' dtype, every honest way to compute in
that dtype (any order of summation, einsum or loops, blocks with a running maximum, with or without FMA) stays below
them, by a factor of 2 to 4 at the least. There is no absolute tolerance in them: where the exact weight is 0 only a
subnormal number is forgiven.

Sums use the probabilistic form of the usual bound (Higham and Mary, 2019): n roundings of independent signs add up to
about √n·u and not to n·u.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from grader.models import Value

Results = tuple[np.ndarray, ...]
Arguments = Mapping[str, Value]

CHUNK = (
    1 << 18
)  # elements of a block of scores: a long sequence is dealt with in pieces that stay in the cache
FUNCTIONS = (
    8.0  # roundings of a weight beside sums: exp (a fast one is off by 2 ulp), subtraction, division, product
)
SIGMAS = 4.0  # errors of independent signs: so many times the root of the sum of their squares


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
    floats = [
        value.dtype
        for value in arguments.values()
        if isinstance(value, np.ndarray) and value.dtype.kind == "f"
    ]
    u = max((float(np.finfo(dtype).eps) for dtype in floats), default=float(np.finfo(np.float64).eps)) / 2
    return 2 * u if u < 1e-12 else u


def smallest(arguments: Arguments) -> float:
    """The smallest normal number of that dtype: below it numbers may be flushed to zero."""
    single = roundoff(arguments) > 1e-12
    return float(np.finfo(np.float32 if single else np.float64).tiny)


def terms(count: int) -> float:
    """The roundings of a sum of so many terms that one has to reckon with."""
    return min(float(count), 2.0 + count**0.5)


def _exact(arguments: Arguments, expected: Results) -> Results:
    return tuple(np.zeros_like(result) for result in expected)


def _softmax(arguments: Arguments, expected: Results) -> Results:
    """w·(E_i + Σ w_j E_j + sum and exp), E_j = u·|x_j − max|: x − max is rounded once."""
    (weights,) = expected
    axis = int(arguments.get("axis", -1))  # type: ignore[arg-type]
    x = np.where(weights > 0, np.asarray(arguments["x"], np.float64), -np.inf)
    top = _finite(x.max(axis=axis, keepdims=True))
    wobble = np.where(weights > 0, top - x, 0.0)
    mean = (weights * wobble).sum(axis=axis, keepdims=True)
    rounds = wobble + mean + FUNCTIONS + _summing(np.abs(top), x.shape[axis])
    return (_of_weights(weights, rounds, arguments),)


def _summing(top: np.ndarray, count: int) -> np.ndarray:
    """The roundings of Σ exp x, |x| ≤ top, for those as well who keep log Σ exp x and add to that, term after term.

    Each of their sums is rounded by u·|log Σ exp x|, at most u·(top + log count).
    """
    return 2.0 * terms(count) * (1.0 + top + math.log(max(1, count)))


def _finite(top: np.ndarray) -> np.ndarray:
    return np.where(np.isneginf(top), 0.0, top)


def _of_weights(weights: np.ndarray, rounds: np.ndarray, arguments: Arguments) -> np.ndarray:
    """The bound of weights whose logarithms are off by u·rounds."""
    return np.minimum(weights * _grown(roundoff(arguments) * rounds), 1.0) + 2 * smallest(arguments)


def _grown(logarithm: np.ndarray) -> np.ndarray:
    """By how much of itself a number changes when its logarithm does: at least e^x − 1 up to x = 1.7, and cheaper."""
    return logarithm * (1.0 + logarithm)


def _attention(arguments: Arguments, expected: Results) -> Results:
    """Of the output, and of the weights when they are returned as well."""
    visible = _visible(arguments)
    parts = [_rows(arguments, expected, rows, visible[..., rows, :]) for rows in _chunks(arguments)]
    return tuple(np.concatenate(results, axis=-2, dtype=np.float64) for results in zip(*parts, strict=True))


def _chunks(arguments: Arguments) -> list[slice]:
    """The queries, so many at a time that a block of scores stays small."""
    q, k = np.asarray(arguments["q"]), np.asarray(arguments["k"])
    lead = int(np.prod(np.broadcast_shapes(q.shape[:-2], k.shape[:-2])))
    size = max(1, CHUNK // max(1, lead * k.shape[-2]))
    return [slice(start, start + size) for start in range(0, q.shape[-2], size)]


def _rows(arguments: Arguments, expected: Results, rows: slice, visible: np.ndarray) -> Results:
    """The bounds for some of the queries.

    What errs for each key by itself (`own`) adds up like a random walk; what errs for all keys of a query alike
    (`common`: the sum, the scale, a rounded logarithm) does not, and neither does a scale that is rounded, which
    moves every weight by its score's distance from the mean (`tilt`).
    """
    # A bound of a long sequence needs no more digits than its inputs have, and takes half the time in float32.
    single = visible.size * 2 > CHUNK and smallest(arguments) > 1e-300
    q, k, v = (np.asarray(arguments[name], np.float32 if single else np.float64) for name in "qkv")
    weights, scores, own = _scores(q[..., rows, :], k, visible)
    top = np.abs(scores).max(axis=-1, keepdims=True)
    common = (weights * own).sum(axis=-1, keepdims=True) + FUNCTIONS + _summing(top, k.shape[-2])
    tilt = 2 * np.abs(scores - (weights * scores).sum(axis=-1, keepdims=True))
    output = _of_output(weights, own, common, tilt, v, arguments)
    return (output, _of_weights(weights, own + common + tilt, arguments)) if len(expected) > 1 else (output,)


def _of_output(
    weights: np.ndarray,
    own: np.ndarray,
    common: np.ndarray,
    tilt: np.ndarray,
    v: np.ndarray,
    arguments: Arguments,
) -> np.ndarray:
    u = roundoff(arguments)
    size, alone = np.abs(v), np.minimum(weights * _grown(u * own), 1.0)
    walk = np.minimum(alone @ size, SIGMAS * np.sqrt(alone**2 @ v**2))
    summed = np.abs(weights @ v) + np.sqrt(weights**2 @ v**2)  # partial sums are hardly larger than this
    return walk + _grown(u * common) * summed + u * (weights * tilt) @ size + 2 * smallest(arguments)


def _scores(q: np.ndarray, k: np.ndarray, visible: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Exact weights and scores (0 where hidden), and by how many u each score may be off.

    A score is a sum of `width` products: every partial sum is rounded, and is hardly larger than the whole sum or
    the root of the products' squares. Two more roundings are the scale's, one that of score − maximum.
    """
    width, keys = q.shape[-1], k.swapaxes(-1, -2)
    scores = np.where(visible, q @ keys / math.sqrt(width), -np.inf)
    top = _finite(scores.max(axis=-1, keepdims=True))
    powers = np.exp(scores - top)
    total = powers.sum(axis=-1, keepdims=True)
    weights = np.divide(powers, total, out=np.zeros_like(powers), where=total > 0)
    scores = np.where(visible, scores, 0.0)
    partial = np.abs(scores) + np.sqrt(q**2 @ keys**2 / width)
    return weights, scores, (terms(width) + 2.0) * partial + FUNCTIONS / 2


def _visible(arguments: Arguments) -> np.ndarray:
    """Which key each query may see: the last query sees the last key of a causal call, lengths count keys."""
    q, k = np.asarray(arguments["q"]), np.asarray(arguments["k"])
    queries, keys = q.shape[-2], k.shape[-2]
    visible = np.ones((queries, keys), bool)
    if arguments.get("causal"):
        visible &= np.arange(keys) <= np.arange(queries)[:, None] + (keys - queries)
    lengths = arguments.get("valid_lens")
    if lengths is None:
        return visible
    lengths = np.asarray(lengths)
    return visible & (np.arange(keys) < lengths.reshape(*lengths.shape, *[1] * (3 - lengths.ndim)))


BOUNDS: Mapping[str, Callable[[Arguments, Results], Results]] = {
    "exact": _exact,
    "softmax": _softmax,
    "attention": _attention,  # of q, k, v, and of causal and valid_lens where there are any
}
