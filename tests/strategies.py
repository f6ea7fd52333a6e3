"""Attention problems drawn at random: sizes that differ on every axis, masks, biases, everything combined."""

from dataclasses import dataclass, field, fields
from functools import reduce
from operator import and_
from typing import Any

import numpy as np
import oracle
from hypothesis import strategies as st

import pyattn

Array = oracle.Array


@dataclass(frozen=True, repr=False)
class Problem:
    """What to compute, once for pyattn and once for the oracle."""

    query: Array
    key: Array
    value: Array
    left: int | None = None
    right: int | None = None
    align: str | None = None
    offset: Any = None
    key_lengths: Any = None
    query_lengths: Any = None
    keep: Array | None = None
    keep_keys: Array | None = None
    biases: tuple[Array, ...] = ()
    slopes: Array | None = None
    options: dict[str, Any] = field(default_factory=dict)  # scale, softcap, sinks

    def __repr__(self) -> str:
        parts = ((f.name, getattr(self, f.name)) for f in fields(self))
        return f"Problem({', '.join(f'{name}={in_short(part)}' for name, part in parts if in_short(part))})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # hypothesis would print all the numbers
        printer.text(repr(self))

    @property
    def sizes(self) -> tuple[int, int]:
        return self.query.shape[-2], self.key.shape[-2]

    def mask(self) -> Any:
        masks: list[Any] = []
        if (
            self.left is not None
            or self.right is not None
            or self.align is not None
            or self.offset is not None
        ):
            masks.append(pyattn.window(self.left, self.right, align=self.align, offset=self.offset))
        if self.key_lengths is not None or self.query_lengths is not None:
            masks.append(pyattn.lengths(self.key_lengths, self.query_lengths))
        if self.keep_keys is not None:
            masks.append(pyattn.padding(self.keep_keys))
        if self.keep is not None:
            masks.append(self.keep)
        return reduce(and_, masks) if masks else None

    def bias(self) -> Any:
        terms: tuple[Any, ...] = self.biases
        if self.slopes is not None:
            terms += (pyattn.alibi(self.slopes),)
        return terms if len(terms) > 1 else terms[0] if terms else None

    def given_mask(self) -> Any:
        """The mask as attention() makes it of a bare array."""
        mask = self.mask()
        return pyattn.Mask() & mask if isinstance(mask, np.ndarray) else mask

    def ours(self, **more: Any) -> Any:
        return pyattn.attention(
            self.query, self.key, self.value, self.mask(), bias=self.bias(), **self.options, **more
        )

    def sees(self) -> Array:
        lengths = {"key_lengths": self.key_lengths, "query_lengths": self.query_lengths}
        offset = oracle.offset_of(*self.sizes, self.align, self.offset, **lengths)
        sees = oracle.band(*self.sizes, self.left, self.right, offset=offset) & oracle.within(
            *self.sizes, **lengths
        )
        if self.keep_keys is not None:
            sees = sees & self.keep_keys[..., None, None, :]
        return sees if self.keep is None else sees & self.keep

    def by_definition(self, dtype: Any) -> oracle.Attention:
        biases = self.biases
        if self.slopes is not None:
            lengths = {"key_lengths": self.key_lengths, "query_lengths": self.query_lengths}
            offset = oracle.offset_of(*self.sizes, self.align, self.offset, **lengths)
            biases += (oracle.alibi(self.slopes, *self.sizes, offset=offset),)
        return oracle.attention(
            self.query, self.key, self.value, sees=self.sees(), biases=biases, dtype=dtype, **self.options
        )


def in_short(part: Any) -> str:
    """A large array by its shape alone; nothing for what is not given."""
    if isinstance(part, np.ndarray) and part.size > 10:
        return f"{part.dtype}{list(part.shape)}"
    if isinstance(part, tuple):
        return ", ".join(map(in_short, part))
    return "" if part is None or (isinstance(part, dict) and not part) else repr(part)


def optional(strategy: st.SearchStrategy) -> st.SearchStrategy:
    return st.none() | strategy


@st.composite
def shapes(draw, least_queries=1, most_queries=70, most_keys=300, most_width=70):
    """(batch, heads, kv_heads, queries, keys, width, value_width), the last four of them all different."""
    batch, kv_heads, group = draw(st.permutations([1, 2, 3]))
    widths = st.integers(1, most_width)
    sizes = st.tuples(st.integers(least_queries, most_queries), st.integers(1, most_keys), widths, widths)
    return batch, kv_heads * group, kv_heads, *draw(sizes.filter(lambda s: len(set(s)) == len(s)))


@st.composite
def problems(draw, dtype, **limits):
    """A problem with inputs of `dtype` and any combination of masks, biases and options."""
    batch, heads, kv_heads, queries, keys, width, value_width = draw(shapes(**limits))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))

    def normal(*shape, size=1.0, dtype=dtype):
        return (size * rng.standard_normal(shape)).astype(dtype)

    def per_item(low, high):
        return st.integers(low, high) | st.just(rng.integers(low, high + 1, batch))

    def some(*shapes):
        return optional(st.sampled_from(shapes))

    keep = draw(
        some((queries, keys), (1, keys), (batch, 1, queries, keys), (heads, 1, keys), (batch, heads, 1, 1))
    )
    bias = draw(some((queries, keys), (keys,), (heads, queries, 1), (batch, heads, queries, keys)))
    bias_dtype = dtype if draw(st.booleans()) else oracle.arithmetic(dtype)
    spread = draw(st.sampled_from([0.1, 1.0, 5.0]))
    biases = () if bias is None else (normal(*bias, size=2, dtype=bias_dtype),)
    if biases and draw(st.booleans()):
        biases[0][rng.random(bias) < 0.2] = -np.inf
    options = {
        "scale": draw(optional(st.sampled_from([0.0, -0.3, 0.7]))),
        "softcap": draw(optional(st.sampled_from([0.5, 3.0, 30.0]))),
        "sinks": draw(optional(st.just(normal(heads, dtype=oracle.arithmetic(dtype))))),
    }
    return Problem(
        normal(batch, heads, queries, width, size=spread),
        normal(batch, kv_heads, keys, width),
        normal(batch, kv_heads, keys, value_width),
        left=draw(optional(st.integers(0, keys))),
        right=draw(optional(st.integers(0, keys))),
        align=draw(st.sampled_from([None, "top-left", "bottom-right"])),
        offset=draw(optional(per_item(-queries, keys))),
        key_lengths=draw(optional(per_item(0, keys))),
        query_lengths=draw(optional(per_item(0, queries))),
        keep=None if keep is None else rng.random(keep) < 0.7,
        keep_keys=draw(optional(st.just(rng.random((batch, keys)) < 0.7))),
        biases=biases,
        slopes=draw(optional(st.just(rng.random(heads)))),
        options={name: value for name, value in options.items() if value is not None},
    )
