"""all-MiniLM-L6-v2 as files: weights, tokens, and one text's embedding in float64 to hold every engine against.

The network is the encoder of BERT (Devlin et al., 2018), its output averaged over the tokens and scaled to length 1.
"""

from __future__ import annotations

import json
import math
import pydoc_data.topics
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

_erf = np.vectorize(math.erf, otypes=[np.float64])


@dataclass(frozen=True)
class MiniLM:
    """``weights`` by the names of the safetensors file; ``tokenizer`` is one of the tokenizers library."""

    folder: Path
    weights: dict[str, np.ndarray]
    layers: int
    heads: int
    hidden: int
    eps: float
    tokenizer: Any

    def token_ids(self, texts: list[str]) -> list[list[int]]:
        return [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]

    def padded(self, texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
        """Token ids and the mask of what is no padding: two (texts, longest) arrays of int64."""
        ids = self.token_ids(texts)
        table = np.zeros((len(ids), max(map(len, ids))), dtype=np.int64)
        keep = np.zeros_like(table)
        for row, tokens in enumerate(ids):
            table[row, : len(tokens)], keep[row, : len(tokens)] = tokens, 1
        return table, keep


def load(folder: Path) -> MiniLM:
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    config = json.loads((folder / "config.json").read_text())
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(
        json.loads((folder / "sentence_bert_config.json").read_text())["max_seq_length"]
    )
    return MiniLM(
        folder, load_file(folder / "model.safetensors"), config["num_hidden_layers"], config["num_attention_heads"],
        config["hidden_size"], config["layer_norm_eps"], tokenizer,
    )  # fmt: skip


def embedding(model: MiniLM, text: str) -> np.ndarray:
    """The embedding of one text, every step in float64 as the paper has it."""
    ids = model.token_ids([text])[0]

    def weight(name: str) -> np.ndarray:
        return model.weights[name].astype(np.float64)

    def linear(x: np.ndarray, name: str) -> np.ndarray:
        return x @ weight(f"{name}.weight").T + weight(f"{name}.bias")

    def norm(x: np.ndarray, name: str) -> np.ndarray:
        centred = x - x.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + model.eps)
        return centred / scale * weight(f"{name}.weight") + weight(f"{name}.bias")

    def heads(x: np.ndarray) -> np.ndarray:
        return x.reshape(len(ids), model.heads, -1).swapaxes(0, 1)

    tables = [weight(f"embeddings.{kind}_embeddings.weight") for kind in ("word", "position", "token_type")]
    x = norm(tables[0][ids] + tables[1][: len(ids)] + tables[2][0], "embeddings.LayerNorm")
    for layer in (f"encoder.layer.{i}" for i in range(model.layers)):
        q, k, v = (heads(linear(x, f"{layer}.attention.self.{role}")) for role in ("query", "key", "value"))
        scores = np.exp(q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1]))
        context = (scores / scores.sum(axis=-1, keepdims=True) @ v).swapaxes(0, 1).reshape(len(ids), -1)
        x = norm(
            x + linear(context, f"{layer}.attention.output.dense"), f"{layer}.attention.output.LayerNorm"
        )
        inner = linear(x, f"{layer}.intermediate.dense")
        inner *= (1 + _erf(inner / math.sqrt(2))) / 2
        x = norm(x + linear(inner, f"{layer}.output.dense"), f"{layer}.output.LayerNorm")
    mean = x.mean(axis=0)
    return mean / np.linalg.norm(mean)


def paragraphs() -> list[str]:
    """Prose of the standard library's documentation: the paragraphs of all topics, as long as they happen to be."""
    found = []
    for _, topic in sorted(pydoc_data.topics.topics.items()):
        blocks = (" ".join(block.split()) for block in topic.split("\n\n"))
        found += [block for block in blocks if len(block.split()) >= 8]
    return found


def texts_of_unequal_length(count: int, seed: int = 0) -> list[str]:
    """So many paragraphs, drawn at random."""
    found = paragraphs()
    chosen = np.random.default_rng(seed).choice(len(found), count, replace=False)
    return [found[i] for i in chosen]


def texts_of_equal_length(model: MiniLM, count: int, tokens: int) -> list[str]:
    """Texts of exactly so many tokens (special ones included), cut from the running documentation."""
    running = " ".join(paragraphs())
    texts: list[str] = []
    start = 0
    while len(texts) < count:
        encoding = model.tokenizer.encode(running[start : start + 40 * tokens])
        end = start + encoding.offsets[tokens - 2][1]  # the last word piece before the closing special token
        text = running[start:end]
        if len(model.token_ids([text])[0]) == tokens:  # a cut within a word can change its pieces
            texts.append(text)
        start = end + 1
    return texts
