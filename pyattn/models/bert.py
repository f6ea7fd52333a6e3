"""A BERT-family encoder over packed texts (Devlin et al., 2018; Vaswani et al., 2017, section 3).

The tokens of all texts stand one after the other in one (tokens, hidden) matrix, and ``offsets`` says where each
text begins. Every projection is one matrix product over all tokens, attention looks inside each text only, and
no padding is stored or computed.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

import pyattn
from pyattn import _core
from pyattn.models.checkpoint import Weights
from pyattn.models.families import BertConfig

# Between two matrix products the threads of the products are still awake: ours would fight with them for the
# processors (measured: twice the time of a whole encoder). Several batches at once use all processors better.
_THREADS = 1


class Norm(NamedTuple):
    """The learned part of a layer normalisation."""

    gamma: np.ndarray
    beta: np.ndarray
    eps: float


class Buffers:
    """Room for the intermediate results of up to ``tokens`` tokens, reused by every layer and every batch."""

    def __init__(self, config: BertConfig, tokens: int):
        self.hidden = np.empty((tokens, config.hidden), np.float32)
        self.projected = np.empty((tokens, 3 * config.hidden), np.float32)
        self.context = np.empty((tokens, config.hidden), np.float32)
        self.branch = np.empty((tokens, config.hidden), np.float32)
        self.inner = np.empty((tokens, config.inner), np.float32)

    def first(self, tokens: int) -> "Buffers":
        """View the room of the first ``tokens`` tokens."""
        view = object.__new__(Buffers)
        view.__dict__ = {name: array[:tokens] for name, array in vars(self).items()}
        return view


@dataclass(frozen=True)
class Layer:
    """One Transformer encoder block: attention, add & norm, feed-forward, add & norm.

    Matrices are stored (inputs, outputs), ready for ``x @ matrix``.
    """

    heads: int
    projection: np.ndarray  # (hidden, 3 hidden): queries, keys and values side by side
    query_bias: np.ndarray
    output: np.ndarray
    output_bias: np.ndarray
    attention_norm: Norm
    up: np.ndarray
    up_bias: np.ndarray
    down: np.ndarray
    down_bias: np.ndarray
    norm: Norm

    def __call__(self, offsets: np.ndarray, room: Buffers) -> None:
        """Replace ``room.hidden`` by the block's output."""
        self._attend(offsets, room)
        np.matmul(room.context, self.output, out=room.branch)
        _residual_layer_norm(room.branch, room.hidden, self.output_bias, self.attention_norm, out=room.hidden)
        np.matmul(room.hidden, self.up, out=room.inner)
        _core.bias_gelu(room.inner, self.up_bias, room.inner, _THREADS)
        np.matmul(room.inner, self.down, out=room.branch)
        _residual_layer_norm(room.branch, room.hidden, self.down_bias, self.norm, out=room.hidden)

    def project(self, room: Buffers) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return queries, keys and values, each a (tokens, heads, width) view of one product."""
        np.matmul(room.hidden, self.projection, out=room.projected)
        tokens, hidden = room.hidden.shape
        room.projected[:, :hidden] += self.query_bias
        query, key, value = room.projected.reshape(tokens, 3, self.heads, hidden // self.heads).swapaxes(0, 1)
        return query, key, value

    def _attend(self, offsets: np.ndarray, room: Buffers) -> None:
        query, key, value = self.project(room)
        context = room.context.reshape(query.shape)
        pyattn.attention_varlen(query, key, value, offsets, offsets, out=context, num_threads=_THREADS)


def _residual_layer_norm(
    x: np.ndarray, residual: np.ndarray, bias: np.ndarray | None, norm: Norm, *, out: np.ndarray
) -> None:
    _core.residual_layer_norm(x, residual, bias, norm.gamma, norm.beta, norm.eps, out, _THREADS)


class BertEncoder:
    """Turn the token ids of packed texts into one vector per token.

    Parameters
    ----------
    config : BertConfig
    weights : mapping
        As `pyattn.models.checkpoint.read_weights` returns them.
    """

    def __init__(self, config: BertConfig, weights: Weights):
        self.config = config
        self._words = weights["words"]
        self._positions = _positions(config, weights)
        self._norm = _norm(config, weights, "embedding_norm")
        self._layers = [_layer(config, weights, f"layers.{number}") for number in range(config.layers)]

    def buffers(self, tokens: int) -> Buffers:
        """Allocate room for batches of up to ``tokens`` tokens."""
        return Buffers(self.config, tokens)

    def __call__(self, ids: np.ndarray, offsets: np.ndarray, buffers: Buffers | None = None) -> np.ndarray:
        """Encode packed texts.

        Parameters
        ----------
        ids : (tokens,) integer array
            The token ids of all texts, one text after the other.
        offsets : (texts + 1,) integer array
            Text i is ``ids[offsets[i]:offsets[i + 1]]``.
        buffers : Buffers, optional
            Room to reuse; the result lies in it and lasts until the next call with it.

        Returns
        -------
        (tokens, hidden) float32 array
        """
        room = (buffers or self.buffers(len(ids))).first(len(ids))
        if not len(ids):
            return room.hidden
        self._embed(ids, offsets, room)
        for layer in self._layers:
            layer(offsets, room)
        return room.hidden

    def attention_weights(self, ids: np.ndarray, layer: int) -> np.ndarray:
        """Return one layer's attention weights over one text, (heads, tokens, tokens)."""
        offsets = np.array([0, len(ids)])
        room = self.buffers(len(ids))
        self._embed(ids, offsets, room)
        for earlier in self._layers[:layer]:
            earlier(offsets, room)
        query, key, value = (x.swapaxes(0, 1) for x in self._layers[layer].project(room))
        return pyattn.attention(query, key, value, return_weights=True)[1]

    def _embed(self, ids: np.ndarray, offsets: np.ndarray, room: Buffers) -> None:
        np.take(self._words, ids, axis=0, out=room.branch, mode="clip")  # "raise" would go through a copy
        for begin, end in pairwise(offsets):
            room.context[begin:end] = self._positions[: end - begin]
        _residual_layer_norm(room.branch, room.context, None, self._norm, out=room.hidden)


def _positions(config: BertConfig, weights: Weights) -> np.ndarray:
    """Position embeddings from a text's first token on; a single text has token type 0 throughout."""
    positions = weights["positions"][config.first_position :]
    return positions + weights["types"][0] if config.types else positions


def _norm(config: BertConfig, weights: Weights, name: str) -> Norm:
    return Norm(weights[f"{name}.weight"], weights[f"{name}.bias"], config.eps)


def _layer(config: BertConfig, weights: Weights, name: str) -> Layer:
    """Fuse a layer's projections and drop the additions that change nothing.

    With keys ``K + b`` each query's scores all move by ``q·b``, which softmax does not see. With values ``V + b``
    the output moves by ``b``, because a query's weights sum to one; that ``b`` joins the output's bias.
    """

    def matrix(role: str) -> np.ndarray:
        return weights[f"{name}.{role}.weight"].T  # published as (outputs, inputs)

    def bias(role: str) -> np.ndarray:
        return weights[f"{name}.{role}.bias"]

    return Layer(
        heads=config.heads,
        projection=np.ascontiguousarray(np.hstack([matrix("query"), matrix("key"), matrix("value")])),
        query_bias=bias("query"),
        output=np.ascontiguousarray(matrix("output")),
        output_bias=bias("output") + bias("value") @ matrix("output"),
        attention_norm=_norm(config, weights, f"{name}.attention_norm"),
        up=np.ascontiguousarray(matrix("up")),
        up_bias=bias("up"),
        down=np.ascontiguousarray(matrix("down")),
        down_bias=bias("down"),
        norm=_norm(config, weights, f"{name}.norm"),
    )
