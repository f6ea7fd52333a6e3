"""What ONNX ``Attention`` computes, once its inputs are checked and have heads as an axis of their own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pyattn

Array = NDArray[Any]
DType = np.dtype[Any]


@dataclass(frozen=True)
class Band:
    """Query i of an item sees key j iff ``i + offset - left ≤ j ≤ i + offset + right`` and ``j < length``."""

    offset: Any  # an int, or one per batch item
    left: int | None
    right: int | None  # causal is 0
    lengths: Array | None

    def masks(self, keys: int) -> list[Any]:
        """The masks of pyattn that say the same over the first `keys` keys."""
        masks = []
        if self.left is not None or self.right is not None:
            masks.append(pyattn.window(self.left, self.right, offset=self.offset))
        if self.lengths is not None:
            masks.append(pyattn.lengths(np.minimum(self.lengths, keys)))
        return masks

    def as_array(self, queries: int, keys: int) -> Array:
        """True where a query sees a key: (batch or 1, 1, queries, keys)."""
        position = np.arange(queries)[:, np.newaxis] + np.reshape(self.offset, (-1, 1, 1, 1))
        key = np.arange(keys)
        sees = key < (keys if self.lengths is None else self.lengths.reshape(-1, 1, 1, 1))
        if self.left is not None:
            sees = sees & (key >= position - self.left)
        if self.right is not None:
            sees = sees & (key <= position + self.right)
        return np.broadcast_to(sees, np.broadcast_shapes(sees.shape, position.shape))


@dataclass(frozen=True)
class Problem:
    """Queries beside all keys and values, the past in front, and what decides who sees whom."""

    query: Array
    key: Array
    value: Array
    attn_mask: Array | None
    band: Band
    scale: float | None
    softcap: float

    def attend(self, out: Array, *, return_weights: bool) -> Array | None:
        """Fill `out`, in whose dtype everything is computed; return the weights over all keys if wanted."""
        # Keys beyond attn_mask are masked for every query: leaving them out saves padding the mask.
        reach = self._reach()
        masks, bias = self.band.masks(reach), None
        if self.attn_mask is not None and self.attn_mask.dtype == bool:
            masks.append(self.attn_mask)
        elif self.attn_mask is not None:
            bias = self.attn_mask.astype(common_dtype(self.attn_mask.dtype, out.dtype), copy=False)
        query, key, value = (
            x.astype(out.dtype, copy=False)
            for x in (self.query, self.key[:, :, :reach], self.value[:, :, :reach])
        )
        result = pyattn.attention(
            query,
            key,
            value,
            reduce(and_, masks) if masks else None,
            bias=bias,
            scale=self.scale,
            softcap=self.softcap or None,
            return_weights=return_weights,
            out=out,
        )
        return self._over_all_keys(result[1], fill=0) if return_weights else None

    def scores(self, dtype: DType, mode: int) -> Array:
        """Scores before the softmax: scaled (mode 0), then capped (1), then with bias and masks (2)."""
        batch, heads, queries, width = self.query.shape
        kv_heads, keys = self.key.shape[1:3]
        grouped = self.query.reshape(batch, kv_heads, heads // kv_heads * queries, width).astype(dtype)
        scores = (grouped @ self.key.astype(dtype).swapaxes(2, 3)).reshape(batch, heads, queries, keys)
        scores *= width**-0.5 if self.scale is None else self.scale
        if mode >= 1 and self.softcap:
            scores = self.softcap * np.tanh(scores / self.softcap)
        return self._masked(scores) if mode == 2 else scores

    def _masked(self, scores: Array) -> Array:
        sees = self.band.as_array(*scores.shape[2:])
        if self.attn_mask is None:
            return np.where(sees, scores, -np.inf)
        reach = self._reach()
        sees, scores = sees[..., :reach], scores[..., :reach]
        if self.attn_mask.dtype == bool:
            sees = sees & self.attn_mask
        else:
            scores = scores + self.attn_mask.astype(scores.dtype)
        return self._over_all_keys(np.where(sees, scores, -np.inf), fill=-np.inf)

    def _reach(self) -> int:
        return self.key.shape[2] if self.attn_mask is None else self.attn_mask.shape[-1]

    def _over_all_keys(self, x: Array, fill: float) -> Array:
        beyond = self.key.shape[2] - x.shape[-1]
        return np.pad(x, [(0, 0)] * 3 + [(0, beyond)], constant_values=fill) if beyond else x


def common_dtype(*dtypes: DType) -> DType:
    """The dtype they share; failing that float32 or wider, as the two half types have none in common."""
    return dtypes[0] if len(set(dtypes)) == 1 else reduce(np.promote_types, dtypes, np.dtype(np.float32))
