"""Where a token stands, told to attention: rotary and sinusoidal positions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyattn.arrays import FLOATING, as_numpy, dtype_name, framework_of, from_numpy
from pyattn.whole import is_whole

__all__ = ["rope", "rope_tables", "sinusoidal"]


def rope(
    x: ArrayLike,
    positions: ArrayLike | None = None,
    *,
    base: float = 10000.0,
    interleaved: bool = False,
    rotary_width: int | None = None,
    cos: ArrayLike | None = None,
    sin: ArrayLike | None = None,
) -> Any:
    """Rotate queries or keys by angles that grow with their positions.

    Features are taken in pairs ``(a, b)``. At position ``p`` pair ``i`` turns by the angle
    ``p * base ** (-2 i / rotary_width)``, to ``(a cos - b sin, a sin + b cos)``. Turning a query and a key
    leaves in their dot product only the distance between them, which is the point [1]_. Angles are computed
    in float64, products in at least float32, and the result is rounded once.

    Parameters
    ----------
    x : (..., heads, sequence, width) array
        Queries or keys; two axes are one head, three are heads. Any strides: the result keeps the layout.
    positions : (sequence,) or (batch, sequence) array, default ``0, 1, 2, …``
        Negative and fractional positions are allowed, unless they pick rows of `cos` and `sin`.
    base : float
        How fast the frequencies fall from pair to pair.
    interleaved : bool
        Pair neighbours ``(0, 1), (2, 3), …`` instead of halves ``(0, w/2), (1, w/2 + 1), …``.
    rotary_width : even int, default width
        Only the first `rotary_width` features turn; the rest stay as they are.
    cos, sin : arrays, optional
        Use these in place of `base`: (sequence, rotary_width / 2), or with a batch axis in front; with
        `positions`, tables (length, rotary_width / 2) whose rows the positions pick.

    Returns
    -------
    array of x's shape, dtype and array type

    Raises
    ------
    TypeError
        x is not a float array; positions into tables, or rotary_width, are not integers.
    ValueError
        A shape does not fit, a width is odd, a position is outside the tables, or cos or sin is missing.

    References
    ----------
    .. [1] J. Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding",
       arXiv:2104.09864, 2021.

    Examples
    --------
    >>> import numpy as np
    >>> from pyattn.positions import rope
    >>> rope(np.array([[1.0, 0.0], [1.0, 0.0]]), positions=[0, np.pi / 2]).round(3)
    array([[1., 0.],
           [0., 1.]])
    """
    given, x = x, _floating(x)
    width = _checked_rotary_width(rotary_width, x)
    if cos is None and sin is None:
        steps = np.arange(x.shape[-2]) if positions is None else positions
        cos, sin = rope_tables(steps, width, base=base)
    else:
        cos, sin = _given_tables(cos, sin, positions, width)
    working = np.float64 if x.dtype == np.float64 else np.float32
    cos, sin = (_beside_heads(table, x).astype(working, copy=False) for table in (cos, sin))
    result = np.empty_like(x)
    result[..., width:] = x[..., width:]
    first, second = _pairs(x, width, interleaved)
    new_first, new_second = _pairs(result, width, interleaved)
    new_first[...] = first * cos - second * sin
    new_second[...] = first * sin + second * cos
    return from_numpy(result, framework_of(given), given)


def rope_tables(
    positions: ArrayLike, rotary_width: int, *, base: float = 10000.0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Cosines and sines of the angles by which `rope` turns each pair of features.

    Compute them once for a model whose layers all turn by the same angles; pass them as ``cos`` and ``sin``.

    Parameters
    ----------
    positions : array of any shape
    rotary_width : even int
    base : float

    Returns
    -------
    cos, sin : ``positions.shape + (rotary_width / 2,)`` float64 arrays
        Of the angles ``positions * base ** (-2 i / rotary_width)``.

    Raises
    ------
    ValueError
        `rotary_width` is odd or below 2, or `base` is not positive.

    Examples
    --------
    >>> import numpy as np
    >>> from pyattn.positions import rope, rope_tables
    >>> x = np.ones((2, 5, 8))
    >>> cos, sin = rope_tables(np.arange(64), 8)
    >>> bool((rope(x, np.arange(5), cos=cos, sin=sin) == rope(x)).all())
    True
    """
    rotary_width = _whole("rope_tables: rotary_width", rotary_width)
    if rotary_width < 2 or rotary_width % 2:
        raise ValueError(f"rope_tables: rotary_width must be even and at least 2, got {rotary_width}.")
    if not base > 0:
        raise ValueError(f"rope_tables: base must be positive, got {base}.")
    frequencies = base ** (-np.arange(0, rotary_width, 2) / rotary_width)
    # In float32 an angle near 10⁵ would be off by 0.004: far more than the rounding of its cosine.
    places = np.asarray(positions)
    if places.dtype.kind not in "iuf":
        raise TypeError(f"rope_tables: positions are {positions!r}; expected numbers.")
    angles = places.astype(np.float64)[..., np.newaxis] * frequencies
    return np.cos(angles), np.sin(angles)


def sinusoidal(positions: ArrayLike, width: int) -> NDArray[np.float64]:
    """Sines and cosines of each position, to be added to the vectors there (Vaswani et al., 2017, section 3.5).

    Feature ``2 i`` of position ``p`` is ``sin(p · 10000 ** (-2 i / width))``, feature ``2 i + 1`` the cosine.

    Parameters
    ----------
    positions : array of any shape
    width : even int

    Returns
    -------
    ``positions.shape + (width,)`` float64 array

    Raises
    ------
    ValueError
        `width` is odd or below 2.

    Examples
    --------
    >>> from pyattn.positions import sinusoidal
    >>> sinusoidal([0, 1], 4).round(2)
    array([[0.  , 1.  , 0.  , 1.  ],
           [0.84, 0.54, 0.01, 1.  ]])
    """
    width = _whole("sinusoidal: width", width)
    if width < 2 or width % 2:
        raise ValueError(f"sinusoidal: width must be even and at least 2, got {width}.")
    cos, sin = rope_tables(positions, width)
    return np.stack([sin, cos], axis=-1).reshape(*np.shape(positions), width)


def _whole(name: str, number: Any) -> int:
    if not is_whole(number):
        raise TypeError(f"{name} must be a whole number, got {number!r}.")
    return int(number)


def _floating(x: ArrayLike) -> NDArray[Any]:
    dtype, x = dtype_name(x), as_numpy(x, "rope: x")
    if dtype not in FLOATING:
        raise TypeError(
            f"rope: x has dtype {dtype}; expected one of {', '.join(FLOATING)}. Convert it with x.astype."
        )
    if x.ndim < 2:
        raise ValueError(f"rope: x must have shape (..., sequence, width), got {x.shape}.")
    return x


def _checked_rotary_width(rotary_width: int | None, x: NDArray[Any]) -> int:
    width = x.shape[-1] if rotary_width is None else _whole("rope: rotary_width", rotary_width)
    if width % 2 or not 2 <= width <= x.shape[-1]:
        raise ValueError(
            f"rope: features turn in pairs, so rotary_width must be even and between 2 and x's width "
            f"{x.shape[-1]}; got {width}. Pass rotary_width= to turn only the first features."
        )
    return width


def _given_tables(
    cos: ArrayLike | None, sin: ArrayLike | None, positions: ArrayLike | None, width: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    if cos is None or sin is None:
        raise ValueError("rope: cos and sin come together; got only one of them.")
    cos, sin = as_numpy(cos, "rope: cos"), as_numpy(sin, "rope: sin")
    if "c" in (cos.dtype.kind, sin.dtype.kind):
        raise TypeError(f"rope: cos and sin are {cos.dtype} and {sin.dtype}; expected real numbers.")
    if cos.shape != sin.shape or cos.ndim < 2 or cos.shape[-1] != width // 2:
        raise ValueError(
            f"rope: cos and sin must both end in (sequence, rotary_width / 2 = {width // 2}); got "
            f"{cos.shape} and {sin.shape}. Of a table that repeats its columns pass one half."
        )
    if positions is None:
        return cos, sin
    rows = _table_rows(positions, cos.shape)
    return cos[rows], sin[rows]


def _table_rows(positions: ArrayLike, table_shape: tuple[int, ...]) -> NDArray[Any]:
    rows = np.asarray(positions)
    if len(table_shape) != 2:
        raise ValueError(
            f"rope: positions pick rows of 2-D cos and sin tables, got tables of shape {table_shape}."
        )
    if rows.dtype.kind not in "iu":
        raise TypeError(f"rope: positions into cos and sin tables must be integers, got dtype {rows.dtype}.")
    # A negative index would silently read from the end of the table.
    if np.any((rows < 0) | (rows >= table_shape[0])):
        raise ValueError(
            f"rope: positions run from {rows.min()} to {rows.max()}, the cos and sin tables hold "
            f"positions 0 to {table_shape[0] - 1}; pass longer tables."
        )
    return rows


def _beside_heads(table: NDArray[Any], x: NDArray[Any]) -> NDArray[Any]:
    """Give a (batch, sequence, pairs) table the heads axis that x has between batch and sequence."""
    leading, batch = table.shape[:-2], x.shape[:-3]
    aligned = zip(reversed(leading), reversed(batch), strict=False)
    fits = len(leading) <= len(batch) and all(n in (1, m) for n, m in aligned)
    if table.ndim < 2 or table.shape[-2] != x.shape[-2] or not fits:
        raise ValueError(
            f"rope: positions (or cos and sin) of shape {table.shape[:-1]} do not fit x {x.shape}; expected "
            f"({x.shape[-2]},) or (batch, {x.shape[-2]}) with x (batch, heads, sequence, width)."
        )
    return np.expand_dims(table, -3) if leading else table


def _pairs(x: NDArray[Any], rotary_width: int, interleaved: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """Views of the first and the second member of each pair of features."""
    turning = x[..., :rotary_width]
    if interleaved:
        return turning[..., 0::2], turning[..., 1::2]
    half = rotary_width // 2
    return turning[..., :half], turning[..., half:]
