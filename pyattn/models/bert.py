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


class Norm(NamedTuple):
    """The learned part of a layer normalisation."""

    gamma: np.ndarray
    beta: np.ndarray
    eps: float

    def __call__(self, x: np.ndarray, residual: np.ndarray, out: np.ndarray) -> None:
        """Normalise ``x + residual``."""
        _core.residual_layer_norm(x, residual, self.gamma, self.beta, self.eps, out, pyattn.get_num_threads())


class Map(NamedTuple):
    """A linear map, as published: weight (outputs, inputs)."""

    weight: np.ndarray
    bias: np.ndarray

    def __call__(self, x: np.ndarray, out: np.ndarray, activation: str = "none") -> None:
        """``activation(x @ weight.T + bias)``."""
        _core.linear(x, self.weight, self.bias, activation, out, pyattn.get_num_threads())


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
    """One Transformer encoder block: attention, add & norm, feed-forward, add & norm."""

    heads: int
    projection: Map  # to queries, keys and values, side by side
    output: Map
    attention_norm: Norm
    up: Map
    down: Map
    norm: Norm

    def __call__(self, offsets: np.ndarray, room: Buffers) -> None:
        """Replace ``room.hidden`` by the block's output."""
        self._attend(offsets, room)
        self.output(room.context, room.branch)
        self.attention_norm(room.branch, room.hidden, room.hidden)
        self.up(room.hidden, room.inner, "gelu")
        self.down(room.inner, room.branch)
        self.norm(room.branch, room.hidden, room.hidden)

    def project(self, room: Buffers) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return queries, keys and values, each a (tokens, heads, width) view of one product."""
        self.projection(room.hidden, room.projected)
        tokens, hidden = room.hidden.shape
        query, key, value = room.projected.reshape(tokens, 3, self.heads, hidden // self.heads).swapaxes(0, 1)
        return query, key, value

    def _attend(self, offsets: np.ndarray, room: Buffers) -> None:
        query, key, value = self.project(room)
        context = room.context.reshape(query.shape)
        pyattn.attention_varlen(query, key, value, offsets, offsets, out=context)


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
        self._norm(room.branch, room.context, room.hidden)


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

    def one(role: str) -> Map:
        return Map(weights[f"{name}.{role}.weight"], weights[f"{name}.{role}.bias"])

    query, key, value, output = one("query"), one("key"), one("value"), one("output")
    nothing = np.zeros(2 * config.hidden, np.float32)
    return Layer(
        heads=config.heads,
        projection=Map(
            np.vstack([query.weight, key.weight, value.weight]), np.concatenate([query.bias, nothing])
        ),
        output=Map(output.weight, output.bias + output.weight @ value.bias),
        attention_norm=_norm(config, weights, f"{name}.attention_norm"),
        up=one("up"),
        down=one("down"),
        norm=_norm(config, weights, f"{name}.norm"),
    )
