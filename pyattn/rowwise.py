"""Softmax along one axis, and its logarithms."""

from __future__ import annotations

from typing import Any

from pyattn import _core, runtime
from pyattn.arrays import framework_of, in_kind, readable, writable
from pyattn.whole import is_whole

_MOST_AXES = 64  # of any NumPy array


def softmax(x: Any, axis: int = -1, *, out: Any = None) -> Any:
    """Compute ``exp(x - max(x)) / sum(exp(x - max(x)))`` along ``axis``.

    Parameters
    ----------
    x : floating array
    axis : int
    out : array, optional
        Of x's shape and dtype; may be x itself.

    Returns
    -------
    array
        Of x's shape, dtype and type. A row of only −inf is NaN, as in SciPy.

    Examples
    --------
    >>> import numpy as np, pyattn
    >>> pyattn.softmax(np.array([0.0, 0.0, 1e4]))
    array([0., 0., 1.])
    """
    return _rowwise("softmax", x, axis, out)


def log_softmax(x: Any, axis: int = -1, *, out: Any = None) -> Any:
    """Compute ``x - logsumexp(x)`` along ``axis``; parameters as in :func:`softmax`.

    Examples
    --------
    >>> import numpy as np, pyattn
    >>> pyattn.log_softmax(np.zeros(1))
    array([0.])
    """
    return _rowwise("log_softmax", x, axis, out)


def logsumexp(x: Any, axis: int = -1) -> Any:
    """Compute ``log(sum(exp(x)))`` along ``axis``, which the result no longer has.

    Examples
    --------
    >>> import numpy as np, pyattn
    >>> float(pyattn.logsumexp(np.array([1e4, 1e4])).round(3))
    10000.693
    """
    framework = framework_of(x)
    x, axis = readable(x, "logsumexp: x"), _whole_axis("logsumexp", axis)
    return framework.answer(_core.logsumexp(x, axis, runtime.get_num_threads(), framework.allocate))


def _whole_axis(name: str, axis: Any) -> int:
    if not is_whole(axis):
        raise TypeError(
            f"{name}: axis is {axis!r}; expected a whole number (pass x.ravel() for all axes at once)."
        )
    if abs(axis) > _MOST_AXES:
        raise ValueError(f"{name}: axis is {axis}; no array has so many axes.")
    return int(axis)


def _rowwise(name: str, x: Any, axis: int, out: Any) -> Any:
    framework = framework_of(x)
    x, out, axis = readable(x, f"{name}: x"), writable(out, f"{name}: out"), _whole_axis(name, axis)
    result = getattr(_core, name)(x, axis, out, runtime.get_num_threads(), framework.allocate)
    return in_kind(result, framework, out)
