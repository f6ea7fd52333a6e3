# assignment: masking
# expect: score=100
# tries: the newest words of the language
from __future__ import annotations

import dataclasses
import enum
import typing as t
from collections import namedtuple
from functools import cached_property, lru_cache, singledispatch

import numpy as np
import numpy.typing as npt

Array: t.TypeAlias = npt.NDArray[np.floating[t.Any]]
T = t.TypeVar("T", bound=Array)


class Mode(enum.Enum):
    FREE = enum.auto()
    CAUSAL = enum.auto()


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    queries: int
    keys: int


@lru_cache(maxsize=None)
def triangle(sizes: Sizes) -> npt.NDArray[np.bool_]:
    return np.tril(np.ones((sizes.queries, sizes.keys), dtype=bool), k=sizes.keys - sizes.queries)


@singledispatch
def visible(lengths: object, sizes: Sizes) -> t.Any:
    raise TypeError(lengths)


@visible.register(type(None))
def _(lengths: None, sizes: Sizes) -> t.Any:
    return True


@visible.register(np.ndarray)
def _(lengths, sizes: Sizes) -> t.Any:
    match lengths.ndim:
        case 1:
            lengths = lengths[:, None, None]
        case 2:
            lengths = lengths[:, :, None]
        case n:
            raise ValueError(n)
    return np.arange(sizes.keys) < lengths


def masked_attention(q: T, k: T, v: T, *, causal: bool = False, valid_lens: npt.NDArray[np.integer] | None = None) -> T:
    sizes = Sizes(queries=q.shape[1], keys=(n := k.shape[1]))
    mask = visible(valid_lens, sizes)
    if (mode := Mode.CAUSAL if causal else Mode.FREE) is Mode.CAUSAL:
        mask = mask & triangle(sizes)
    scores = np.matmul(q, k.transpose(0, 2, 1)) / np.sqrt(q.shape[2])
    scores = np.where(mask, scores, -np.inf)
    with np.errstate(all="ignore"):
        p = np.nan_to_num(np.exp(scores - scores.max(-1, keepdims=True)))
        return np.nan_to_num(p / p.sum(-1, keepdims=True)) @ v
