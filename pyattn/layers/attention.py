"""Multi-head attention with learned projections (Vaswani et al., 2017, section 3.2)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pyattn.functional import attention
from pyattn.kv_cache import KVCache
from pyattn.layers.linear import Linear
from pyattn.layers.projections import Heads, Projections
from pyattn.masks import alibi as alibi_bias
from pyattn.positions import rope as turn
from pyattn.states import merge_states

_ROPES = (None, "halves", "interleaved")


class MultiHeadAttention(Projections):
    """Project to queries, keys and values of several heads, attend in each, and project what they found.

    With its first seven arguments alone it has the parameters, the names and the results of
    ``torch.nn.MultiheadAttention(…, batch_first=True)``.

    Parameters
    ----------
    embed_dim, num_heads : int
        The width of the queries and of the result; the number of query heads.
    bias, add_bias_kv, add_zero_attn : bool
        Whether the projections have biases; whether a learned key and value, or a key and value of zeros, stand
        behind all others.
    kdim, vdim : int, default embed_dim
        The width of keys and of values as they come.
    num_kv_heads : int, default num_heads
        Fewer heads of keys and values, each of which serves several of queries.
    head_dim, value_dim : int, default ``embed_dim / num_heads`` and head_dim
        The width of a head's queries and keys, and of its values.
    two_stage : int, optional
        Project twice: to this width, with ``in_proj_weight`` or ``q_proj_weight`` and its like, and from there to
        each head's, with ``q_head_weight`` (heads, head_dim, two_stage) and its like, which have no bias.
    rope : {"halves", "interleaved"}, optional
        Rotate queries and keys by their positions; see :func:`pyattn.positions.rope` for the two.
    rope_base : float
    alibi : bool
        Bias each head by distance; see :func:`pyattn.alibi`.
    scale : float, default ``1 / sqrt(head_dim)``

    Notes
    -----
    ``in_proj_weight`` holds the rows for queries, keys and values one after the other; where kdim or vdim differ from
    embed_dim there are ``q_proj_weight``, ``k_proj_weight`` and ``v_proj_weight`` in its place, as in torch.

    Examples
    --------
    >>> import numpy as np, pyattn
    >>> from pyattn.layers import MultiHeadAttention
    >>> x = np.random.default_rng(0).standard_normal((2, 5, 16), dtype=np.float32)
    >>> attend = MultiHeadAttention.random(16, 4)
    >>> out, weights = attend(x, mask=pyattn.causal(), return_weights=True)
    >>> out.shape, weights.shape
    ((2, 5, 16), (2, 4, 5, 5))
    """

    bias_k: np.ndarray | None
    bias_v: np.ndarray

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        *,
        num_kv_heads: int | None = None,
        head_dim: int | None = None,
        value_dim: int | None = None,
        two_stage: int | None = None,
        rope: str | None = None,
        rope_base: float = 10000.0,
        alibi: bool = False,
        scale: float | None = None,
    ):
        self.heads, self.kv_heads = num_heads, num_heads if num_kv_heads is None else num_kv_heads
        self.inputs = (embed_dim, embed_dim if kdim is None else kdim, embed_dim if vdim is None else vdim)
        self.rope, self.rope_base, self.alibi, self.scale = rope, rope_base, alibi, scale
        self.add_zero_attn = add_zero_attn
        self._check(embed_dim, head_dim, value_dim)
        self.width = embed_dim // num_heads if head_dim is None else head_dim
        self.value_width = self.width if value_dim is None else value_dim
        _, keys, values = self._declare_projections(bias, two_stage)
        self._declare(
            bias_k=(1, 1, keys) if add_bias_kv else None, bias_v=(1, 1, values) if add_bias_kv else None
        )
        self.out_proj = Linear(self.heads * self.value_width, embed_dim, bias)

    def _check(self, embed_dim: int, head_dim: int | None, value_dim: int | None) -> None:
        if self.heads < 1 or self.kv_heads < 1 or self.heads % self.kv_heads:
            raise ValueError(
                f"MultiHeadAttention: {self.heads} query heads and {self.kv_heads} key heads; expected a multiple."
            )
        if head_dim is None and embed_dim % self.heads:
            raise ValueError(
                f"MultiHeadAttention: embed_dim {embed_dim} is no multiple of {self.heads} heads; pass head_dim."
            )
        for name, width in (("head_dim", head_dim), ("value_dim", value_dim)):
            if width is not None and width < 1:
                raise ValueError(f"MultiHeadAttention: {name} is {width}; expected at least 1.")
        if self.rope not in _ROPES:
            raise ValueError(f"MultiHeadAttention: rope is {self.rope!r}; expected one of {_ROPES}.")

    def __call__(
        self,
        query: ArrayLike,
        key: ArrayLike | None = None,
        value: ArrayLike | None = None,
        mask: Any = None,
        *,
        bias: Any = None,
        cache: KVCache | None = None,
        return_weights: bool = False,
    ) -> Any:
        """Attend.

        Parameters
        ----------
        query : (..., queries, embed_dim) array
        key : (..., keys, kdim) array, default query
        value : (..., keys, vdim) array, default key
        mask : Mask or boolean array, optional
            True where a query may look: the opposite of torch's. :func:`pyattn.layers.valid_lens` makes one from
            lengths.
        bias : floating array, optional
            Added to the scores.
        cache : KVCache, optional
            Keys and values are added to it, and all that it holds is attended; see :meth:`new_cache`.
        return_weights : bool

        Returns
        -------
        out : (..., queries, embed_dim) array
        weights : (..., heads, queries, keys) array
            If ``return_weights``, with a column more for each of ``add_bias_kv`` and ``add_zero_attn``.
        """
        context, weights = self.context(
            query, key, value, mask, bias=bias, cache=cache, return_weights=return_weights
        )
        return (self.out_proj(context), weights) if return_weights else self.out_proj(context)

    def new_cache(self, batch: int, capacity: int) -> KVCache:
        """Make an empty cache for ``batch`` sequences of up to ``capacity`` tokens."""
        dtype = self.out_proj.weight.dtype
        return KVCache(batch, self.kv_heads, self.width, self.value_width, capacity=capacity, dtype=dtype)

    def context(
        self,
        query: ArrayLike,
        key: ArrayLike | None = None,
        value: ArrayLike | None = None,
        mask: Any = None,
        *,
        bias: Any = None,
        cache: KVCache | None = None,
        memory: tuple[Heads, Heads] | None = None,
        return_weights: bool = False,
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """Tell what the heads found, side by side and not yet projected: (..., queries, heads · value width).

        ``memory`` takes the place of key and value: what :meth:`keys_and_values` made of them.
        """
        q, k, v = self._heads(query, key, value, memory)
        if self.rope:
            start = 0 if cache is None else cache.lengths[:, None]
            q = self._turned(q, start)
            k = self._turned(k, start) if memory is None else k
        if cache is not None:
            cache.append(k, v)
        found = np.empty((*q.shape[:-3], q.shape[-2], self.heads, self.value_width), q.dtype)
        weights = self._attend(q, k, v, mask, bias, cache, found.swapaxes(-2, -3), return_weights)
        return found.reshape(*found.shape[:-2], self.heads * self.value_width), weights

    def keys_and_values(self, key: ArrayLike, value: ArrayLike | None = None) -> tuple[Heads, Heads]:
        """Project keys and values once, for many calls of :meth:`context`."""
        k = self._projected(self._input(key, 1), 1)
        v = self._projected(self._input(key if value is None else value, 2), 2)
        return (self._turned(k, 0) if self.rope else k), v

    def _turned(self, x: Heads, start: Any) -> Heads:
        positions = start + np.arange(x.shape[-2])
        return turn(x, positions, base=self.rope_base, interleaved=self.rope == "interleaved")

    def _attend(
        self,
        q: Heads,
        k: Heads,
        v: Heads,
        mask: Any,
        bias: Any,
        cache: KVCache | None,
        out: Heads,
        return_weights: bool,
    ) -> np.ndarray | None:
        options: dict[str, Any] = {
            "bias": self._biases(bias),
            "scale": self.scale,
            "return_weights": return_weights,
        }
        if self.add_zero_attn:  # a key of zeros has score 0, a value of zeros adds nothing: that is a sink
            options["sinks"] = np.zeros(self.heads, q.dtype)
        extra = self.add_zero_attn or self.bias_k is not None
        options["return_lse"] = extra
        attended = (
            attention(q, k, v, mask, out=out, **options)
            if cache is None
            else cache.attend(q, mask, out=out, **options)
        )
        if extra:
            lse, *weights = attended[1:]
            return self._with_extra(q, out, lse, weights)
        return attended[1] if return_weights else None

    def _biases(self, bias: Any) -> Any:
        if not self.alibi:
            return bias
        given = () if bias is None else bias if isinstance(bias, tuple) else (bias,)
        return (alibi_bias(self.heads), *given)

    def _with_extra(
        self, q: Heads, out: Heads, lse: np.ndarray, weights: list[np.ndarray]
    ) -> np.ndarray | None:
        """Add the learned key and value, which every query sees; and their weights, and those of the zeros."""
        total, columns = lse, []
        if self.bias_k is not None:
            k = self.bias_k.reshape(self.kv_heads, 1, -1)
            v = self.bias_v.reshape(self.kv_heads, 1, -1)
            one, one_lse = attention(q, k, v, scale=self.scale, return_lse=True)
            out[...], total = merge_states([out, one], [lse, one_lse])
            columns.append(np.exp(one_lse - total))
        if self.add_zero_attn:
            columns.append(np.exp(-total))
        if not weights:
            return None
        scaled = weights[0] * np.exp(lse - total)[..., None]
        return np.concatenate([scaled, *(column[..., None] for column in columns)], axis=-1)
