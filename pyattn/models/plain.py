"""The same encoder the way one would write it in NumPy: padded batches, one step of the papers after the other.

It is what the demo and the benchmarks put pyattn beside.
"""

import os
from pathlib import Path

import numpy as np

from pyattn.models.checkpoint import Weights, read_config, read_weights
from pyattn.models.pooling import read_pooling
from pyattn.models.tokens import TextTokenizer


def gelu(x: np.ndarray) -> np.ndarray:
    """x · Φ(x), with erf by formula 7.1.26 of Abramowitz and Stegun (error below 1.5e-7)."""
    z = np.abs(x) * np.float32(0.5**0.5)
    t = 1 / (1 + np.float32(0.3275911) * z)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    erf = np.copysign(1 - series * np.exp(-z * z), x)
    return 0.5 * x * (1 + erf)


def layer_norm(x: np.ndarray, weights: Weights, name: str, eps: float) -> np.ndarray:
    """Give each vector mean 0 and variance 1, then the learned scale and shift."""
    centred = x - x.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(eps))
    return centred / deviation * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def linear(x: np.ndarray, weights: Weights, name: str) -> np.ndarray:
    """Apply a learned projection, published as (outputs, inputs)."""
    return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def attention(query: np.ndarray, key: np.ndarray, value: np.ndarray, keep: np.ndarray) -> np.ndarray:
    """softmax(query · keyᵀ / √width) · value over the keys that ``keep`` (batch, keys) marks."""
    scores = query @ key.swapaxes(-1, -2) * np.float32(query.shape[-1] ** -0.5)
    scores = np.where(keep[:, None, None, :], scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ value


class PlainEncoder:
    """`SentenceEncoder` in plain NumPy.

    Parameters
    ----------
    path : path
        A folder as `SentenceEncoder.from_folder` takes it.
    """

    def __init__(self, path: str | os.PathLike[str]):
        folder = Path(path)
        self.config = read_config(folder)
        self.weights = read_weights(folder, self.config)
        self._tokenizer = TextTokenizer(folder, self.config)
        self._pooling = read_pooling(folder)

    def encode(self, texts: list[str], batch_size: int = 32) -> np.ndarray:
        """Turn texts into (texts, width) vectors, in batches of similar length to keep the padding small."""
        ids = self._tokenizer.ids(texts)
        order = sorted(range(len(texts)), key=lambda i: -len(ids[i]))
        vectors: dict[int, np.ndarray] = {}
        for begin in range(0, len(order), batch_size):
            batch = order[begin : begin + batch_size]
            hidden = self.hidden_states([ids[i] for i in batch])
            vectors |= {
                i: self._pooling(tokens[: len(ids[i])]) for i, tokens in zip(batch, hidden, strict=True)
            }
        return np.stack([vectors[i] for i in range(len(texts))])

    def hidden_states(self, ids: list[np.ndarray]) -> np.ndarray:
        """Return (texts, longest, hidden) vectors; those behind a text's end mean nothing."""
        longest = max(len(text) for text in ids)
        padded = np.zeros((len(ids), longest), np.intp)
        keep = np.zeros(padded.shape, bool)
        for row, text in enumerate(ids):
            padded[row, : len(text)] = text
            keep[row, : len(text)] = True
        x = self._embed(padded)
        for number in range(self.config.layers):
            x = self._block(x, keep, f"layers.{number}")
        return x

    def _embed(self, ids: np.ndarray) -> np.ndarray:
        first = self.config.first_position
        x = self.weights["words"][ids] + self.weights["positions"][first : first + ids.shape[1]]
        if self.config.types:
            x = x + self.weights["types"][0]
        return layer_norm(x, self.weights, "embedding_norm", self.config.eps)

    def _block(self, x: np.ndarray, keep: np.ndarray, name: str) -> np.ndarray:
        weights, eps = self.weights, self.config.eps
        query, key, value = (
            self._split(linear(x, weights, f"{name}.{role}")) for role in ("query", "key", "value")
        )
        context = attention(query, key, value, keep).swapaxes(1, 2).reshape(x.shape)
        x = layer_norm(x + linear(context, weights, f"{name}.output"), weights, f"{name}.attention_norm", eps)
        inner = gelu(linear(x, weights, f"{name}.up"))
        return layer_norm(x + linear(inner, weights, f"{name}.down"), weights, f"{name}.norm", eps)

    def _split(self, x: np.ndarray) -> np.ndarray:
        return x.reshape(*x.shape[:2], self.config.heads, -1).swapaxes(1, 2)
