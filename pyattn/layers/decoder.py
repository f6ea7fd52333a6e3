"""The Transformer's decoder, whole or one token after the other (Vaswani et al., 2017, section 3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pyattn.kv_cache import KVCache
from pyattn.layers.attention import MultiHeadAttention
from pyattn.layers.encoder import Block, Stack
from pyattn.layers.feed_forward import FeedForward
from pyattn.layers.norm import AddNorm
from pyattn.masks import causal

CAUSAL = causal()


@dataclass
class LayerState:
    """What a decoder layer keeps between tokens: the past, and the memory's keys and values."""

    past: KVCache
    memory: tuple[np.ndarray, np.ndarray]

    def select(self, rows: np.ndarray) -> None:
        """Go on with these sequences, in this order."""
        self.past.reorder(rows)
        if not np.array_equal(rows, np.arange(len(self.memory[0]))):
            self.memory = (self.memory[0][rows], self.memory[1][rows])


class DecoderLayer(Block):
    """Masked self-attention, attention to the encoder's output, feed-forward, each with add & norm.

    ``torch.nn.TransformerDecoderLayer(…, batch_first=True)``, but that its mask is causal unless another is given.

    Parameters
    ----------
    d_model, nhead, dim_feedforward, activation, layer_norm_eps, norm_first, bias
        As in `EncoderLayer`.
    attention : mapping, optional
        More options for the self-attention.

    Examples
    --------
    >>> import numpy as np
    >>> from pyattn.layers import DecoderLayer, valid_lens
    >>> layer = DecoderLayer.random(16, 4, 32)
    >>> memory = np.ones((2, 7, 16), np.float32)
    >>> layer(np.ones((2, 5, 16), np.float32), memory, memory_mask=valid_lens([7, 4])).shape
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
        self.multihead_attn = MultiHeadAttention(d_model, nhead, bias)
        self.feed_forward = FeedForward(d_model, dim_feedforward, activation, bias)
        self.norm1, self.norm2, self.norm3 = (AddNorm(d_model, layer_norm_eps, bias=bias) for _ in range(3))

    def __call__(
        self,
        x: ArrayLike,
        memory: ArrayLike,
        mask: Any = CAUSAL,
        memory_mask: Any = None,
        *,
        return_weights: bool = False,
    ) -> Any:
        """Decode (..., sequence, d_model) beside ``memory`` (..., source, d_model).

        With ``return_weights`` also tell where each token looks in the memory, (..., heads, sequence, source).
        """
        y, weights = self.decode(np.asarray(x), memory, mask, memory_mask, return_weights)
        return (y, weights) if return_weights else y

    def decode(
        self, x: np.ndarray, memory: ArrayLike, mask: Any, memory_mask: Any, return_weights: bool
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """Decode, and tell the weights or None."""
        x, _ = self._with_attention(x, self.norm1, self.self_attn, mask=mask)
        return self._beside(x, memory_mask, return_weights, key=memory)

    def start(self, memory: ArrayLike, capacity: int) -> LayerState:
        """Prepare to decode up to ``capacity`` tokens beside ``memory`` (batch, source, d_model)."""
        if np.ndim(memory) != 3:
            raise ValueError(
                f"{type(self).__name__}.start: memory has shape {np.shape(memory)}; expected (batch, source, d_model)."
            )
        keys, values = self.multihead_attn.keys_and_values(memory)
        return LayerState(self.self_attn.new_cache(len(keys), capacity), (keys, values))

    def step(
        self, x: ArrayLike, state: LayerState, memory_mask: Any = None, *, return_weights: bool = False
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """Decode the next tokens, (batch, tokens, d_model), after those that ``state`` has seen."""
        x, _ = self._with_attention(np.asarray(x), self.norm1, self.self_attn, mask=CAUSAL, cache=state.past)
        return self._beside(x, memory_mask, return_weights, memory=state.memory)

    def _beside(
        self, x: np.ndarray, memory_mask: Any, return_weights: bool, **memory: Any
    ) -> tuple[np.ndarray, np.ndarray | None]:
        x, weights = self._with_attention(
            x, self.norm2, self.multihead_attn, mask=memory_mask, return_weights=return_weights, **memory
        )
        return self._with_feed_forward(x, self.norm3), weights


class Decoder(Stack):
    """Decoder layers one after the other: ``torch.nn.TransformerDecoder``.

    Parameters
    ----------
    num_layers, d_model, nhead : int
    final_norm : bool
        Whether a ``norm`` follows the last layer.
    **options
        Those of `DecoderLayer`.

    Examples
    --------
    >>> import numpy as np
    >>> from pyattn.layers import Decoder
    >>> decoder = Decoder.random(3, 16, 4, dim_feedforward=32)
    >>> x, memory = np.ones((2, 5, 16), np.float32), np.ones((2, 7, 16), np.float32)
    >>> state = decoder.start(memory, capacity=5)
    >>> steps = [decoder.step(x[:, i : i + 1], state)[0] for i in range(5)]  # one token after the other
    >>> bool(np.allclose(np.concatenate(steps, axis=1), decoder(x, memory), atol=1e-5))
    True
    """

    def __init__(self, num_layers: int, d_model: int, nhead: int, final_norm: bool = False, **options: Any):
        self.layers = [DecoderLayer(d_model, nhead, **options) for _ in range(num_layers)]
        self._end(d_model, final_norm, options)

    def __call__(
        self,
        x: ArrayLike,
        memory: ArrayLike,
        mask: Any = CAUSAL,
        memory_mask: Any = None,
        *,
        return_weights: bool = False,
    ) -> Any:
        """Decode (..., sequence, d_model) beside ``memory`` (..., source, d_model).

        With ``return_weights`` also tell a list of where each layer's tokens look in the memory.
        """
        options = {
            "memory": memory, "mask": mask, "memory_mask": memory_mask, "return_weights": return_weights,
        }  # fmt: skip
        y, weights = self._through(np.asarray(x), (partial(layer.decode, **options) for layer in self.layers))
        return (y, weights) if return_weights else y

    def start(self, memory: ArrayLike, capacity: int) -> list[LayerState]:
        """Prepare to decode up to ``capacity`` tokens beside ``memory`` (batch, source, d_model)."""
        return [layer.start(memory, capacity) for layer in self.layers]

    def step(
        self, x: ArrayLike, states: list[LayerState], memory_mask: Any = None, *, return_weights: bool = False
    ) -> tuple[np.ndarray, list[np.ndarray | None]]:
        """Decode the next tokens, (batch, tokens, d_model); also tell each layer's weights, if wanted."""
        options = {"memory_mask": memory_mask, "return_weights": return_weights}
        pairs = zip(self.layers, states, strict=True)
        return self._through(
            np.asarray(x), (partial(layer.step, state=state, **options) for layer, state in pairs)
        )
