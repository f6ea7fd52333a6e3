"""Keys and values of the past, kept for the tokens to come."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyattn.arrays import FLOATING, as_numpy, dtype_name
from pyattn.functional import attention
from pyattn.masks import lengths as lengths_mask
from pyattn.whole import is_whole


class KVCache:
    """Room for the keys and values of a batch of sequences, which may be of unequal length.

    Parameters
    ----------
    batch, heads, width : int
        Keys are (batch, heads, capacity, width); ``heads`` counts key heads, of which there may be fewer than query
        heads.
    value_width : int, default width
    capacity : int
        The most tokens of a sequence. Memory is taken at once, and touched as it is filled.
    dtype : {"float32", "float64", "float16", "bfloat16"}

    Attributes
    ----------
    lengths : (batch,) integer array
        How many tokens each sequence has.

    Examples
    --------
    >>> import numpy as np, pyattn
    >>> q, k, v = np.random.default_rng(0).standard_normal((3, 2, 4, 10, 16))  # batch 2, 4 heads, 10 tokens
    >>> cache = pyattn.KVCache(2, 4, 16, capacity=64, dtype="float64")
    >>> cache.append(k[:, :, :9], v[:, :, :9])  # a prompt
    >>> cache.append(k[:, :, 9:], v[:, :, 9:])  # and a token
    >>> bool(np.allclose(cache.attend(q[:, :, 9:]), pyattn.attention(q, k, v, pyattn.causal())[:, :, 9:]))
    True
    """

    lengths: NDArray[np.int64]

    def __init__(
        self,
        batch: int,
        heads: int,
        width: int,
        value_width: int | None = None,
        *,
        capacity: int,
        dtype: Any = "float32",
    ):
        value_width = width if value_width is None else value_width
        for name, size in {"batch": batch, "capacity": capacity}.items():
            _need_whole(name, size, 0)
        for name, size in {"heads": heads, "width": width, "value_width": value_width}.items():
            _need_whole(name, size, 1)
        kind = _dtype_of(dtype)
        self._keys = np.empty((batch, heads, capacity, width), kind)
        self._values = np.empty((batch, heads, capacity, value_width), kind)
        self.lengths = np.zeros(batch, np.int64)

    @property
    def capacity(self) -> int:
        """The most tokens of a sequence."""
        return self._keys.shape[2]

    @property
    def keys(self) -> NDArray[Any]:
        """(batch, heads, longest, width) view; behind a shorter sequence's end it holds anything."""
        return self._keys[:, :, : self.lengths.max(initial=0)]

    @property
    def values(self) -> NDArray[Any]:
        """(batch, heads, longest, value_width) view."""
        return self._values[:, :, : self.lengths.max(initial=0)]

    def append(self, key: ArrayLike, value: ArrayLike, counts: ArrayLike | None = None) -> None:
        """Add tokens at each sequence's end.

        Parameters
        ----------
        key : (batch, heads, tokens, width) array
        value : (batch, heads, tokens, value_width) array
        counts : (batch,) integer array, optional
            How many of the tokens are real; the first ones of each item.

        Raises
        ------
        ValueError
            For shapes that do not fit, and where the capacity does not suffice; nothing is added then.
        TypeError
            For another dtype than the cache's.
        """
        key, value = self._fitting(key, self._keys, "key"), self._fitting(value, self._values, "value")
        if key.shape[2] != value.shape[2]:
            raise ValueError(
                f"KVCache.append: {key.shape[2]} keys and {value.shape[2]} values; expected as many."
            )
        ends = self.lengths + self._counts("append: counts", counts, key.shape[2])
        if ends.max(initial=0) > self.capacity:
            raise ValueError(
                f"KVCache.append: a sequence would have {ends.max()} tokens and the capacity is {self.capacity}; make "
                "the cache with a larger capacity, or truncate it."
            )
        begins, self.lengths = self.lengths, ends
        if len(set(zip(begins, ends, strict=True))) == 1:  # all alike: one copy
            self._store(slice(None), begins[0], ends[0], key, value)
            return
        for item, (begin, end) in enumerate(zip(begins, ends, strict=True)):
            self._store(item, begin, end, key[item], value[item])

    def _store(self, items: Any, begin: int, end: int, key: NDArray[Any], value: NDArray[Any]) -> None:
        for room, new in ((self._keys, key), (self._values, value)):
            room[items, :, begin:end] = new[..., : end - begin, :]

    def attend(
        self, query: ArrayLike, mask: Any = None, *, queries: ArrayLike | None = None, **options: Any
    ) -> Any:
        """Compute :func:`pyattn.attention` over what is stored.

        Parameters
        ----------
        query : (batch, query heads, tokens, width) array
            Counted as the last tokens of each sequence by masks such as ``causal()``.
        mask : Mask or boolean array, optional
        queries : (batch,) integer array, optional
            How many queries of each item are real: the first ones, as ``counts`` of :meth:`append`.
        **options
            Those of :func:`pyattn.attention`.

        Raises
        ------
        ValueError
            For shapes that do not fit.
        """
        shape = np.shape(query)
        if len(shape) != 4 or shape[0] != len(self.lengths):
            raise ValueError(
                f"KVCache.attend: query has shape {shape}; expected ({len(self.lengths)}, query heads, tokens, width)."
            )
        if queries is not None:
            queries = self._counts("attend: queries", queries, shape[2])
        longest = int(self.lengths.max(initial=0))
        if queries is not None or (self.lengths != longest).any():
            real = lengths_mask(self.lengths, queries)
            mask = real if mask is None else real & mask
        return attention(query, self.keys, self.values, mask, **options)

    def truncate(self, lengths: ArrayLike) -> None:
        """Forget all but the first ``lengths`` tokens: one number for all sequences, or one for each."""
        wanted = _whole(lengths)
        fits = wanted.shape in ((), self.lengths.shape) and wanted.dtype.kind in "iu"
        if not fits or (wanted < 0).any() or (wanted > self.lengths).any():
            raise ValueError(
                f"KVCache.truncate: lengths are {lengths!r}; expected whole numbers from 0 to {self.lengths.tolist()}."
            )
        self.lengths = np.broadcast_to(wanted, self.lengths.shape).astype(np.int64)

    def reorder(self, rows: ArrayLike) -> None:
        """Keep the sequences ``rows``, in this order; one may be taken several times, as beam search does."""
        rows = _whole(rows)
        batch = len(self.lengths)
        if rows.ndim != 1 or rows.dtype.kind not in "iu" or (rows < 0).any() or (rows >= batch).any():
            raise ValueError(
                f"KVCache.reorder: rows are {rows}; expected whole numbers from 0 to {batch - 1}."
            )
        if np.array_equal(rows, np.arange(batch)):
            return
        used = slice(0, self.lengths.max(initial=0))
        self._keys, self._values = (self._picked(room, rows, used) for room in (self._keys, self._values))
        self.lengths = self.lengths[rows]

    @staticmethod
    def _picked(room: NDArray[Any], rows: NDArray[Any], used: slice) -> NDArray[Any]:
        to = room if len(rows) == len(room) else np.empty((len(rows), *room.shape[1:]), room.dtype)
        to[:, :, used] = room[:, :, used][rows]
        return to

    def _fitting(self, x: ArrayLike, room: NDArray[Any], name: str) -> NDArray[Any]:
        kind, x = dtype_name(x), as_numpy(x, f"KVCache.append: {name}")
        batch, heads, _, width = room.shape
        if kind != room.dtype.name:
            raise TypeError(
                f"KVCache.append: {name} has dtype {kind}, the cache {room.dtype}; convert with .astype."
            )
        if x.ndim != 4 or (x.shape[0], x.shape[1], x.shape[3]) != (batch, heads, width):
            raise ValueError(
                f"KVCache.append: {name} has shape {x.shape}; expected ({batch}, {heads}, tokens, {width})."
            )
        return x

    def _counts(self, name: str, counts: ArrayLike | None, tokens: int) -> NDArray[np.int64]:
        if counts is None:
            return np.full(self.lengths.shape, tokens)
        counts = _whole(counts)
        if counts.shape != self.lengths.shape or counts.dtype.kind not in "iu":
            raise ValueError(f"KVCache.{name} are {counts}; expected {len(self.lengths)} whole numbers.")
        if (counts < 0).any() or (counts > tokens).any():
            raise ValueError(f"KVCache.{name} are {counts}; expected 0 to {tokens}, the tokens there are.")
        return counts.astype(np.int64)  # an unsigned one and a signed one add up to a float


def _dtype_of(dtype: Any) -> np.dtype[Any]:
    """NumPy's dtype of this name; torch's dtypes are called torch.float32 and so on."""
    name = str(dtype).removeprefix("torch.")
    if name == "bfloat16":
        import ml_dtypes  # noqa: F401  (gives NumPy a bfloat16)
    try:
        kind = np.dtype(name if name in FLOATING else dtype)
    except TypeError:
        kind = None
    if dtype is None or kind is None or kind.name not in FLOATING or not kind.isnative:
        raise TypeError(
            f"KVCache: dtype is {dtype}; expected one of {', '.join(FLOATING)}, in native byte order."
        )
    return kind


def _whole(numbers: ArrayLike) -> NDArray[Any]:
    """An array of whole numbers; an empty list has none that is not whole."""
    array = np.asarray(numbers)
    return array.astype(np.int64) if array.size == 0 else array


def _need_whole(name: str, size: Any, least: int) -> None:
    if not is_whole(size):
        raise TypeError(f"KVCache: {name} is {size!r}; expected a whole number.")
    if size < least:
        raise ValueError(f"KVCache: {name} is {size}; expected at least {least}.")
