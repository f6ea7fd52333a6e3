"""Masks and biases as values: what a query may look at, and how much each key counts beforehand.

A :class:`Mask` says, without storing a (queries, keys) matrix, that query ``i`` may look at key ``j`` iff

    ``i + offset - left <= j <= i + offset + right``, ``j < key_length``, ``i < query_length``

and every boolean array it carries is True there. Masks combine with ``&``; two masks that would need different
offsets cannot be combined.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyattn.whole import is_whole

ALIGNMENTS = ("bottom-right", "top-left")
_FARTHEST = 2**62  # beyond every array; what the core can hold


@dataclass(frozen=True, eq=False, slots=True)
class Mask:
    """Which keys a query may look at. Made by :func:`causal`, :func:`window`, :func:`lengths`, :func:`padding`."""

    left: int | None = None  # None: unbounded
    right: int | None = None
    align: str | None = None  # None: not said, bottom-right
    offset: Any = None  # None, or an integer array: () or one per batch item
    key_lengths: Any = None
    query_lengths: Any = None
    keeps: tuple[tuple[Any, bool], ...] = ()  # boolean arrays; True beside one that is (batch, keys)

    def __post_init__(self) -> None:
        for name, reach in (("left", self.left), ("right", self.right)):
            if reach is not None and not is_whole(reach):
                raise TypeError(
                    f"Mask: {name} is {reach!r}; expected a whole number or None. Use pyattn.window."
                )
            if reach is not None and abs(int(reach)) > _FARTHEST:
                raise ValueError(f"Mask: {name} is {reach}; expected at most 2**62. None is without an end.")
        if self.align is not None:
            _check_align(self.align)

    # NumPy must not try to handle `array & mask` element by element.
    __array_ufunc__ = None

    @property
    def structured(self) -> bool:
        """Whether anything but boolean arrays hides keys."""
        return not (
            self.left is None
            and self.right is None
            and self.key_lengths is None
            and self.query_lengths is None
        )

    def __and__(self, other: Any) -> Mask:
        other = as_mask(other, "mask & other")
        align, offset = _common_offset(self, other)
        return Mask(
            left=_least(self.left, other.left),
            right=_least(self.right, other.right),
            align=align,
            offset=offset,
            key_lengths=_least(self.key_lengths, other.key_lengths),
            query_lengths=_least(self.query_lengths, other.query_lengths),
            keeps=self.keeps + other.keeps,
        )

    __rand__ = __and__


def _least(a: Any, b: Any) -> Any:
    if a is None or b is None:
        return b if a is None else a
    try:
        return np.minimum(a, b)
    except ValueError:
        raise ValueError(
            f"mask & mask: lengths of shapes {np.shape(a)} and {np.shape(b)} do not broadcast; expected one number "
            "per batch item in both."
        ) from None


def _common_offset(a: Mask, b: Mask) -> tuple[str | None, Any]:
    """The offset of ``a & b``: one of the two says it, or both say the same."""
    said = [m for m in (a, b) if m.align is not None or m.offset is not None]
    if len(said) == 2 and not _same_offset(*said):
        raise ValueError(
            f"mask & mask: the masks count positions from different corners ({_corner(a)} and {_corner(b)}); "
            "give both the same align or offset."
        )
    return (said[0].align, said[0].offset) if said else (None, None)


def _same_offset(a: Mask, b: Mask) -> bool:
    mine, other = _said_offset(a), _said_offset(b)
    if mine is None or other is None:  # bottom-right: known once there are keys
        return mine is other
    try:
        return bool(np.all(mine == other))
    except ValueError:  # of shapes that do not broadcast
        return False


def _said_offset(mask: Mask) -> Any:
    return np.int64(0) if mask.offset is None and mask.align == "top-left" else mask.offset


def _corner(mask: Mask) -> str:
    return f"offset={mask.offset}" if mask.offset is not None else f"align={mask.align!r}"


def as_mask(mask: Any, where: str = "attention: mask") -> Mask:
    """A :class:`Mask` as it is, a boolean array as one; TypeError for anything else."""
    if isinstance(mask, Mask):
        return mask
    if isinstance(mask, np.ndarray) or hasattr(mask, "__dlpack__"):
        kind = getattr(getattr(mask, "dtype", None), "kind", None)
        if kind == "f" or (
            kind is None and getattr(getattr(mask, "dtype", None), "is_floating_point", False)
        ):
            raise TypeError(
                f"{where} is an array of {mask.dtype}; a mask is boolean, True where a query may look. "
                "An array that is added to the scores goes to bias=."
            )
        return Mask(keeps=((mask, False),))
    try:
        return as_mask(np.asarray(memoryview(mask)), where)
    except TypeError:
        raise TypeError(
            f"{where} is a {type(mask).__name__}; expected a boolean array (True where a query may look) "
            "or a mask such as pyattn.causal()."
        ) from None


def _check_align(align: str) -> str:
    if align not in ALIGNMENTS:
        raise ValueError(f"align is {align!r}; expected 'bottom-right' or 'top-left'.")
    return align


def _integers(value: Any, name: str) -> Any:
    if isinstance(value, int):
        value = max(-_FARTHEST, min(value, _FARTHEST))
    array = np.asarray(value)
    if array.dtype.kind not in "iu" and not (isinstance(value, list) and not value):
        raise TypeError(
            f"{name} is {value!r}; expected a whole number or an integer array, one per batch item."
        )
    if array.dtype.kind == "u":
        array = np.minimum(array, np.uint64(_FARTHEST))  # the cast would wrap around
    return array.astype(np.int64)


def causal(align: str = "bottom-right", *, offset: Any = None) -> Mask:
    """Let query ``i`` look at key ``j`` iff ``j <= i + offset``.

    Parameters
    ----------
    align : {"bottom-right", "top-left"}
        ``bottom-right``: offset is keys − queries (per batch item when combined with :func:`lengths`), so that the
        last query sees every key, as decoding with a cache needs. ``top-left``: offset is 0.
    offset : int or (batch,) integer array, optional
        Overrides ``align``. May be negative: queries before the first key then see nothing and get zeros.

    Examples
    --------
    >>> import numpy as np, pyattn
    >>> x = np.eye(3, dtype=np.float32)
    >>> pyattn.attention(x, x, x, pyattn.causal(), scale=0.0).round(2)
    array([[1.  , 0.  , 0.  ],
           [0.5 , 0.5 , 0.  ],
           [0.33, 0.33, 0.33]], dtype=float32)
    """
    return window(None, 0, align=align, offset=offset)


def window(
    left: int | None = None, right: int | None = None, *, align: str | None = None, offset: Any = None
) -> Mask:
    """Let query ``i`` look at keys ``i + offset - left`` to ``i + offset + right``, both included.

    Parameters
    ----------
    left, right : int or None
        How far to look back and ahead; None is unbounded. ``window(1, 0)`` is "two tokens": the last and this one.
    align, offset
        As in :func:`causal`; by default those of the mask it is combined with, else bottom-right.

    Examples
    --------
    >>> import pyattn
    >>> sliding = pyattn.causal() & pyattn.window(4)
    >>> sliding.left, sliding.right
    (4, 0)
    """
    for name, reach in (("left", left), ("right", right)):
        if reach is not None and not is_whole(reach):
            raise TypeError(f"window: {name} is {reach!r}; expected a whole number, or None for no limit.")
        if reach is not None and reach < 0:
            raise ValueError(f"window: {name} is {reach}; expected 0 or more, or None for no limit.")
    return Mask(
        left=None if left is None else min(int(left), _FARTHEST),
        right=None if right is None else min(int(right), _FARTHEST),
        align=None if align is None else _check_align(align),
        offset=None if offset is None else _integers(offset, "offset"),
    )


def lengths(keys: Any = None, queries: Any = None) -> Mask:
    """Hide the keys, and the queries, beyond each batch item's length.

    Parameters
    ----------
    keys, queries : int or (batch,) integer array, optional
        How many keys and queries of each item are real. Queries beyond get zeros. For 2-D and 3-D input one number.

    Examples
    --------
    >>> import pyattn
    >>> decoder = pyattn.causal() & pyattn.lengths([3, 5])
    """
    return Mask(
        key_lengths=None if keys is None else _integers(keys, "lengths: keys"),
        query_lengths=None if queries is None else _integers(queries, "lengths: queries"),
    )


def valid_lens(lens: Any, keys: int | None = None) -> Mask:
    """Hide the keys beyond a length for each batch item, or for each query of each item, as textbooks have it.

    Parameters
    ----------
    lens : (batch,) or (batch, queries) integer array
        How many keys are valid: the first ones.
    keys : int, optional
        How many keys there are; needed for lengths per query.

    Examples
    --------
    >>> import numpy as np, pyattn
    >>> x = np.eye(3)[None, None]  # one item, one head
    >>> pyattn.attention(x, x, x, pyattn.masks.valid_lens([[1, 2, 3]], keys=3), scale=0.0)[0, 0].round(2)
    array([[1.  , 0.  , 0.  ],
           [0.5 , 0.5 , 0.  ],
           [0.33, 0.33, 0.33]])
    """
    lens = _integers(lens, "valid_lens: lens")
    if lens.ndim < 2:
        return lengths(lens)
    if lens.ndim > 2 or keys is None:
        raise ValueError(
            f"valid_lens: lens has shape {lens.shape} and keys is {keys}; expected (batch,), or (batch, queries) "
            "together with keys, the number of keys."
        )
    if (lens < 0).any() or (lens > keys).any():
        raise ValueError(
            f"valid_lens: lens run from {lens.min()} to {lens.max()}; expected 0 to {keys} keys."
        )
    return Mask(keeps=(((np.arange(keys) < lens[..., None])[:, None], False),))


def padding(keep: Any) -> Mask:
    """Hide the keys that are padding, wherever they stand.

    Parameters
    ----------
    keep : (batch, keys) or (keys,) boolean array
        True for real keys.

    Examples
    --------
    >>> import numpy as np, pyattn
    >>> mask = pyattn.causal() & pyattn.padding(np.array([[True, True, False]]))
    """
    dtype = getattr(keep, "dtype", None)
    if dtype is None:
        keep = np.asarray(keep)
        dtype = keep.dtype
    if not str(dtype).endswith("bool"):
        raise TypeError(f"padding: keep has dtype {dtype}; expected bool, True for real keys.")
    return Mask(keeps=((keep, True),))


@dataclass(frozen=True, eq=False, slots=True)
class Alibi:
    """The bias ``−slope · |i + offset − j|``, one slope per query head. Made by :func:`alibi`."""

    slopes: np.ndarray

    def __post_init__(self) -> None:
        if np.ndim(self.slopes) != 1 or not np.isfinite(self.slopes).all():
            raise ValueError(
                f"alibi: slopes are {self.slopes} of shape {np.shape(self.slopes)}; expected finite ones, (heads,)."
            )


def alibi(heads_or_slopes: Any) -> Alibi:
    """Bias each head by −slope · distance, without storing it (Press et al., 2022, "Train Short, Test Long").

    Parameters
    ----------
    heads_or_slopes : int or (heads,) array
        A count takes the paper's slopes: for n a power of two, ``2**(-8 i / n)`` for i = 1 … n; other counts take
        those of the next lower power of two, then every second one of the next higher.

    Examples
    --------
    >>> import pyattn
    >>> pyattn.alibi(4).slopes.tolist()
    [0.25, 0.0625, 0.015625, 0.00390625]
    """
    if heads_or_slopes is None or isinstance(heads_or_slopes, bool):
        raise TypeError(
            f"alibi: heads_or_slopes is {heads_or_slopes}; expected a number of heads, or their slopes."
        )
    if not hasattr(heads_or_slopes, "__index__") or np.ndim(heads_or_slopes):
        try:
            slopes = np.asarray(heads_or_slopes, dtype=np.float64)
        except (TypeError, ValueError):
            raise TypeError(
                f"alibi: heads_or_slopes is a {type(heads_or_slopes).__name__}; "
                "expected a number of heads, or their slopes, (heads,)."
            ) from None
        return Alibi(slopes)
    heads = int(heads_or_slopes)
    if heads < 1:
        raise ValueError(f"alibi: {heads} heads; expected at least one.")
    power = 2 ** int(math.log2(heads))
    return Alibi(np.array(_geometric(power) + _geometric(2 * power)[::2][: heads - power]))


def _geometric(n: int) -> list[float]:
    return [2.0 ** (-8.0 * i / n) for i in range(1, n + 1)]
