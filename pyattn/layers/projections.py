"""The projections into attention: to queries, keys and values of several heads, in one step or in two."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pyattn.layers.layer import Layer
from pyattn.layers.linear import Linear, linear, vectors

Heads = np.ndarray  # (..., heads, sequence, width)


class Projections(Layer):
    """What `MultiHeadAttention` projects its inputs with; roles are 0 for queries, 1 for keys, 2 for values."""

    heads: int
    kv_heads: int
    inputs: tuple[int, int, int]
    width: int
    value_width: int
    rows: list[int]
    in_proj_bias: np.ndarray | None
    out_proj: Linear

    def _declare_projections(self, bias: bool, two_stage: int | None) -> list[int]:
        """Name the parameters; tell how wide queries, keys and values of all heads are."""
        heads, widths = (self.heads, self.kv_heads, self.kv_heads), (self.width, self.width, self.value_width)
        last = [h * w for h, w in zip(heads, widths, strict=True)]
        self.rows = last if two_stage is None else [two_stage] * 3
        if len(set(self.inputs)) == 1:
            self._declare(in_proj_weight=(sum(self.rows), self.inputs[0]))
        else:
            for role, rows, width in zip("qkv", self.rows, self.inputs, strict=True):
                self._declare(**{f"{role}_proj_weight": (rows, width)})
        self._declare(in_proj_bias=(sum(self.rows),) if bias else None)
        for role, count, width in zip("qkv", heads, widths, strict=True):
            self._declare(**{f"{role}_head_weight": None if two_stage is None else (count, width, two_stage)})
        return last

    def _heads(
        self,
        query: ArrayLike,
        key: ArrayLike | None,
        value: ArrayLike | None,
        memory: tuple[Heads, Heads] | None,
    ) -> tuple[Heads, Heads, Heads]:
        x = self._input(query, 0)
        if memory is not None:
            return self._projected(x, 0), *memory
        if key is None and value is None and "in_proj_weight" in self._shapes:  # one product for all three
            y = linear(x, self.in_proj_weight, self.in_proj_bias)
            ends = np.cumsum(self.rows)[:2]
            q, k, v = (self._split(part, role) for role, part in enumerate(np.split(y, ends, axis=-1)))
            return q, k, v
        key = query if key is None else key
        value = key if value is None else value
        k, v = (self._projected(self._input(one, role), role) for role, one in ((1, key), (2, value)))
        return self._projected(x, 0), k, v

    def _input(self, x: ArrayLike, role: int) -> np.ndarray:
        name = ("query", "key", "value")[role]
        x = vectors(x, self.inputs[role], self.out_proj.weight.dtype, "MultiHeadAttention", name)
        if x.ndim < 2:
            raise ValueError(
                f"MultiHeadAttention: {name} has shape {x.shape}; expected (..., sequence, width)."
            )
        return x

    def _projected(self, x: np.ndarray, role: int) -> Heads:
        end = sum(self.rows[: role + 1])
        rows = slice(end - self.rows[role], end)
        packed = "in_proj_weight" in self._shapes
        weight = self.in_proj_weight[rows] if packed else getattr(self, f"{'qkv'[role]}_proj_weight")
        bias = None if self.in_proj_bias is None else self.in_proj_bias[rows]
        return self._split(linear(x, weight, bias), role)

    def _split(self, x: np.ndarray, role: int) -> Heads:
        """(..., sequence, heads · width) as (..., heads, sequence, width), by the second projection if there is one."""
        of_heads = getattr(self, f"{'qkv'[role]}_head_weight")
        if of_heads is not None:
            x = linear(x, of_heads.reshape(-1, of_heads.shape[-1]))
        heads = self.kv_heads if role else self.heads
        return x.reshape(*x.shape[:-1], heads, x.shape[-1] // heads).swapaxes(-2, -3)
