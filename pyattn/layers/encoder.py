"""The Transformer's encoder (Vaswani et al., 2017, section 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pyattn.layers.attention import MultiHeadAttention
from pyattn.layers.feed_forward import FeedForward
from pyattn.layers.layer import Layer
from pyattn.layers.norm import AddNorm

Run = Callable[[np.ndarray], tuple[np.ndarray, "np.ndarray | None"]]


class Block(Layer):
    """What encoder and decoder layers share: how a part's result joins what went into it.

    After (post-norm) ``x = norm(x + part(x))``, before (pre-norm) ``x = x + part(norm(x))``.
    """

    _unprefixed = ("feed_forward",)
    feed_forward: FeedForward
    norm_first: bool

    def _with_attention(
        self, x: np.ndarray, norm: AddNorm, attend: MultiHeadAttention, **options: Any
    ) -> tuple[np.ndarray, np.ndarray | None]:
        context, weights = attend.context(norm(x) if self.norm_first else x, **options)
        return self._join(x, norm, attend.out_proj(context)), weights

    def _with_feed_forward(self, x: np.ndarray, norm: AddNorm) -> np.ndarray:
        return self._join(x, norm, self.feed_forward(norm(x) if self.norm_first else x))

    def _join(self, x: np.ndarray, norm: AddNorm, branch: np.ndarray) -> np.ndarray:
        if not self.norm_first:
            return norm(x, branch)
        branch += x
        return branch


class EncoderLayer(Block):
    """Self-attention, add & norm, feed-forward, add & norm: ``torch.nn.TransformerEncoderLayer(…, batch_first=True)``.

    Parameters
    ----------
    d_model, nhead, dim_feedforward : int
    activation : {"relu", "gelu"}
    layer_norm_eps : float
    norm_first : bool
        Normalise before each part instead of after it.
    bias : bool
    attention : mapping, optional
        More options for `MultiHeadAttention`, such as ``{"rope": "halves", "num_kv_heads": 2}``.

    Examples
    --------
    >>> import numpy as np
    >>> from pyattn.layers import EncoderLayer, valid_lens
    >>> layer = EncoderLayer.random(16, 4, 32)
    >>> layer(np.ones((2, 5, 16), np.float32), valid_lens([5, 3])).shape
    (2, 5, 16)
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        activation: str = "relu",
        layer_norm_eps: float = 1e-5,
        norm_first: bool = False,
        bias: bool = True,
        attention: dict[str, Any] | None = None,
    ):
        self.norm_first = norm_first
        self.self_attn = MultiHeadAttention(d_model, nhead, bias, **(attention or {}))
        self.feed_forward = FeedForward(d_model, dim_feedforward, activation, bias)
        self.norm1, self.norm2 = (AddNorm(d_model, layer_norm_eps, bias=bias) for _ in range(2))

    def __call__(
        self, x: ArrayLike, mask: Any = None, *, bias: Any = None, return_weights: bool = False
    ) -> Any:
        """Encode (..., sequence, d_model); mask, bias and weights are those of `MultiHeadAttention`."""
        y, weights = self.encode(np.asarray(x), mask, bias=bias, return_weights=return_weights)
        return (y, weights) if return_weights else y

    def encode(self, x: np.ndarray, mask: Any, **options: Any) -> tuple[np.ndarray, np.ndarray | None]:
        """Encode, and tell the weights or None."""
        x, weights = self._with_attention(x, self.norm1, self.self_attn, mask=mask, **options)
        return self._with_feed_forward(x, self.norm2), weights


class Stack(Layer):
    """Blocks one after the other, and perhaps a norm behind the last; what `Encoder` and `Decoder` share."""

    layers: list[Any]
    norm: AddNorm | None

    def _end(self, d_model: int, final_norm: bool, options: dict[str, Any]) -> None:
        eps, bias = options.get("layer_norm_eps", 1e-5), options.get("bias", True)
        self.norm = AddNorm(d_model, eps, bias=bias) if final_norm else None

    def _through(self, x: np.ndarray, runs: Iterable[Run]) -> tuple[np.ndarray, list[np.ndarray | None]]:
        """Run the layers one after the other; also tell each one's weights, or None."""
        weights = []
        for run in runs:
            x, seen = run(x)
            weights.append(seen)
        return (x if self.norm is None else self.norm(x)), weights


class Encoder(Stack):
    """Encoder layers one after the other: ``torch.nn.TransformerEncoder``.

    Parameters
    ----------
    num_layers, d_model, nhead : int
    final_norm : bool
        Whether a ``norm`` follows the last layer.
    **options
        Those of `EncoderLayer`.

    Examples
    --------
    >>> import numpy as np
    >>> from pyattn.layers import Encoder
    >>> Encoder.random(3, 16, 4, dim_feedforward=32)(np.ones((2, 5, 16), np.float32)).shape
    (2, 5, 16)
    """

    def __init__(self, num_layers: int, d_model: int, nhead: int, final_norm: bool = False, **options: Any):
        self.layers = [EncoderLayer(d_model, nhead, **options) for _ in range(num_layers)]
        self._end(d_model, final_norm, options)

    def __call__(
        self, x: ArrayLike, mask: Any = None, *, bias: Any = None, return_weights: bool = False
    ) -> Any:
        """Encode (..., sequence, d_model); with ``return_weights`` also tell a list of each layer's weights."""
        options = {"mask": mask, "bias": bias, "return_weights": return_weights}
        y, weights = self._through(np.asarray(x), (partial(layer.encode, **options) for layer in self.layers))
        return (y, weights) if return_weights else y
