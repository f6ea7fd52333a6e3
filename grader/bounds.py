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


def _attention(arguments: Arguments, expected: Results) -> Results:
    """Σ_j of the weights' bounds times |v_j|, and the roundings of the sum itself; of the weights too, when returned."""
    parts = [_block(arguments, expected, rows) for rows in _chunks(arguments)]
    return tuple(np.concatenate(results, axis=-2) for results in zip(*parts, strict=True))


def _chunks(arguments: Arguments) -> list[slice]:
    """The queries, so many at a time that a block of scores stays small."""
    q, k = np.asarray(arguments["q"]), np.asarray(arguments["k"])
    lead = int(np.prod(np.broadcast_shapes(q.shape[:-2], k.shape[:-2])))
    size = max(1, CHUNK // max(1, lead * k.shape[-2]))
    return [slice(start, start + size) for start in range(0, q.shape[-2], size)]


def _block(arguments: Arguments, expected: Results, rows: slice) -> Results:
    q, k, v = (np.asarray(arguments[name], np.float64) for name in "qkv")
    weights, wobble = _weights(q[..., rows, :], k, _visible(arguments)[..., rows, :])
    by_weight = _weights_bound(weights, wobble, -1, arguments)
    sums = roundoff(arguments) * _rounds(k.shape[-2]) * weights
    output = (by_weight + sums) @ np.abs(v) + smallest(arguments)
    return (output, by_weight) if len(expected) > 1 else (output,)


def _weights(q: np.ndarray, k: np.ndarray, visible: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The exact weights, and by how many u their scores may be off.

    A score is a sum of `width` products, which loses terms(width)·Σ|q||k|; that and the scale come before the
    subtraction of the maximum.
    """
    width, keys = q.shape[-1], k.swapaxes(-1, -2)
    scores = np.where(visible, q @ keys / np.sqrt(width), -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isfinite(top), top, 0.0))
    total = powers.sum(axis=-1, keepdims=True)
    weights = np.divide(powers, total, out=np.zeros_like(powers), where=total > 0)
    size = np.where(visible, np.abs(scores), 0.0)
    products = np.abs(q) @ np.abs(keys) / np.sqrt(width)
    return weights, (terms(width) + 3.0) * products + size + size.max(axis=-1, keepdims=True)


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
