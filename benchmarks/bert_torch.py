"""The sentence encoder as a plain torch module, its attention by scaled_dot_product_attention."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from minilm import MiniLM
from torch import nn


class Block(nn.Module):
    """Attention, add and norm; feed-forward, add and norm. Submodules bear the names of the published weights."""

    def __init__(self, hidden: int, inner: int, heads: int, eps: float) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.mix = (nn.Linear(hidden, hidden) for _ in range(4))
        self.grow, self.shrink = nn.Linear(hidden, inner), nn.Linear(inner, hidden)
        self.norm_mix, self.norm_shrink = (nn.LayerNorm(hidden, eps) for _ in range(2))

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        q, k, v = (
            p(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for p in (self.query, self.key, self.value)
        )
        context = F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).flatten(2)
        x = self.norm_mix(x + self.mix(context))
        return self.norm_shrink(x + self.shrink(F.gelu(self.grow(x))))


class Encoder(nn.Module):
    def __init__(
        self, words: int, positions: int, hidden: int, inner: int, heads: int, layers: int, eps: float
    ) -> None:
        super().__init__()
        self.words, self.positions = nn.Embedding(words, hidden), nn.Embedding(positions, hidden)
        self.kinds, self.norm = nn.Embedding(2, hidden), nn.LayerNorm(hidden, eps)
        self.blocks = nn.ModuleList(Block(hidden, inner, heads, eps) for _ in range(layers))

    def forward(self, ids: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        """``ids`` and ``keep`` (texts, tokens) to embeddings (texts, hidden)."""
        x = self.norm(self.words(ids) + self.positions.weight[: ids.shape[1]] + self.kinds.weight[0])
        mask = (
            None if bool(keep.all()) else keep[:, None, None, :]
        )  # without padding there is nothing to mask
        for block in self.blocks:
            x = block(x, mask)
        return F.normalize((x * keep.unsqueeze(-1)).sum(dim=1), dim=-1)


_PUBLISHED = {
    "query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value",
    "mix": "attention.output.dense", "norm_mix": "attention.output.LayerNorm", "grow": "intermediate.dense",
    "shrink": "output.dense", "norm_shrink": "output.LayerNorm",
}  # fmt: skip


def encoder(model: MiniLM) -> Encoder:
    """The module with the model's weights, ready to infer."""
    shapes = {name: array.shape for name, array in model.weights.items()}
    words, hidden = shapes["embeddings.word_embeddings.weight"]
    positions = shapes["embeddings.position_embeddings.weight"][0]
    inner = shapes["encoder.layer.0.intermediate.dense.weight"][0]
    made = Encoder(words, positions, hidden, inner, model.heads, model.layers, model.eps)
    made.load_state_dict(
        {name: torch.from_numpy(model.weights[_published(name)]) for name in made.state_dict()}
    )
    return made.eval()


def _published(name: str) -> str:
    first, *rest = name.split(".")
    if first == "blocks":
        return f"encoder.layer.{rest[0]}.{_PUBLISHED[rest[1]]}.{rest[2]}"
    kind = {"words": "word_embeddings", "positions": "position_embeddings", "kinds": "token_type_embeddings"}
    return f"embeddings.{kind.get(first, 'LayerNorm')}.{rest[0]}"
