"""A BERT encoder, one text at a time, in float64 and straight from the papers: what the fast one is tested against.

It reads the tensors of model.safetensors by their published names and shares no code with pyattn.
"""

import json
import math
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

_erf = np.vectorize(math.erf, otypes=[np.float64])


def gelu(x):
    return 0.5 * x * (1 + _erf(x / math.sqrt(2)))


def layer_norm(x, weight, bias, eps=1e-12):
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + eps) * weight + bias


def softmax(scores):
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


class BertOracle:
    """The encoder of a config.json's contents and the tensors of a model.safetensors."""

    def __init__(self, config, weights):
        self.config = config
        self.weights = {name: tensor.astype(np.float64) for name, tensor in weights.items()}

    @classmethod
    def from_folder(cls, folder):
        folder = Path(folder)
        return cls(json.loads((folder / "config.json").read_text()), load_file(folder / "model.safetensors"))

    def hidden_states(self, ids):
        """(tokens, hidden) vectors of one text's token ids."""
        x = self._embed(ids)
        for number in range(self.config["num_hidden_layers"]):
            x = self._block(x, number)[0]
        return x

    def attention_weights(self, ids, layer):
        """(heads, tokens, tokens) weights of one layer."""
        x = self._embed(ids)
        for number in range(layer):
            x = self._block(x, number)[0]
        return self._block(x, layer)[1]

    def mean_embedding(self, ids):
        """The mean of a text's vectors, of length one: what all-MiniLM-L6-v2 is trained to return."""
        mean = self.hidden_states(ids).mean(axis=0)
        return mean / np.linalg.norm(mean)

    def _linear(self, x, name):
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def _norm(self, x, name):
        eps = self.config.get("layer_norm_eps", 1e-12)
        return layer_norm(x, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"], eps)

    def _embed(self, ids):
        first = self.config["pad_token_id"] + 1 if "roberta" in self.config["model_type"] else 0
        table = self.weights["embeddings.position_embeddings.weight"]
        x = self.weights["embeddings.word_embeddings.weight"][ids] + table[first : first + len(ids)]
        return self._norm(
            x + self.weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm"
        )

    def _block(self, x, number):
        name, heads = f"encoder.layer.{number}", self.config["num_attention_heads"]
        query, key, value = (
            self._linear(x, f"{name}.attention.self.{role}").reshape(len(x), heads, -1).swapaxes(0, 1)
            for role in ("query", "key", "value")
        )
        weights = softmax(query @ key.swapaxes(1, 2) / math.sqrt(query.shape[-1]))
        context = (weights @ value).swapaxes(0, 1).reshape(x.shape)
        x = self._norm(
            x + self._linear(context, f"{name}.attention.output.dense"), f"{name}.attention.output.LayerNorm"
        )
        inner = gelu(self._linear(x, f"{name}.intermediate.dense"))
        return self._norm(
            x + self._linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm"
        ), weights
