"""How each ``model_type`` spells its configuration and its tensors.

Everything else in this package speaks of one BERT with one set of names: a configuration with the fields of
`BertConfig` and weights called ``words``, ``positions``, ``types``, ``embedding_norm.weight``,
``layers.3.query.bias`` and so on. A family translates.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class BertConfig:
    """Sizes of a BERT-family encoder."""

    model_type: str
    vocabulary: int
    hidden: int
    layers: int
    heads: int
    inner: int  # width of the feed-forward layer
    positions: int
    types: int  # token types; 0 when the family has none
    eps: float
    first_position: int  # the position number of a text's first token

    @property
    def max_length(self) -> int:
        """The longest text, in tokens, that has a position embedding for every token."""
        return self.positions - self.first_position


@dataclass(frozen=True)
class Family:
    """The spelling of one ``model_type``: our name on the left, the published one on the right."""

    sizes: Mapping[str, str]
    activation: str
    embeddings: Mapping[str, str]
    layer: str  # the prefix of a layer's tensors, with {} for its number
    modules: Mapping[str, str]
    prefix: str  # which a checkpoint saved with a task's head puts before every name
    positions_follow_padding: bool = False  # RoBERTa numbers positions from pad_token_id + 1
    unused: tuple[str, ...] = ("pooler.", "embeddings.position_ids")

    def config(self, published: Mapping[str, Any]) -> BertConfig:
        """Translate the contents of config.json, or raise KeyError with the entry that is missing."""
        sizes = {ours: published[theirs] for ours, theirs in self.sizes.items()}
        follows = published.get("pad_token_id", 1) + 1 if self.positions_follow_padding else 0
        return BertConfig(
            model_type=published["model_type"],
            types=published.get("type_vocab_size", 2) if "types" in self.embeddings else 0,
            eps=published.get("layer_norm_eps", 1e-12),
            first_position=follows,
            **sizes,
        )

    def shapes(self, config: BertConfig) -> dict[str, tuple[str, tuple[int, ...]]]:
        """Our name of every tensor → (its published name, its shape)."""
        rows = {"words": config.vocabulary, "positions": config.positions, "types": config.types}
        table: dict[str, tuple[str, tuple[int, ...]]] = {
            ours: (theirs, (rows[ours], config.hidden)) for ours, theirs in self.embeddings.items()
        }
        table |= _norm("embedding_norm", "embeddings.LayerNorm", config.hidden)
        for number in range(config.layers):
            for role, module in self.modules.items():
                ours, theirs = f"layers.{number}.{role}", f"{self.layer.format(number)}.{module}"
                table |= (
                    _norm(ours, theirs, config.hidden) if "norm" in role else _linear(ours, theirs, config)
                )
        return table


def _norm(ours: str, theirs: str, hidden: int) -> dict[str, tuple[str, tuple[int, ...]]]:
    return {f"{ours}.{part}": (f"{theirs}.{part}", (hidden,)) for part in ("weight", "bias")}


def _linear(ours: str, theirs: str, config: BertConfig) -> dict[str, tuple[str, tuple[int, ...]]]:
    role = ours.rpartition(".")[2]
    columns = config.inner if role == "down" else config.hidden
    rows = config.inner if role == "up" else config.hidden
    return {
        f"{ours}.weight": (f"{theirs}.weight", (rows, columns)),
        f"{ours}.bias": (f"{theirs}.bias", (rows,)),
    }


_BERT_SIZES = {
    "vocabulary": "vocab_size",
    "hidden": "hidden_size",
    "layers": "num_hidden_layers",
    "heads": "num_attention_heads",
    "inner": "intermediate_size",
    "positions": "max_position_embeddings",
}
_BERT_EMBEDDINGS = {
    "words": "embeddings.word_embeddings.weight",
    "positions": "embeddings.position_embeddings.weight",
    "types": "embeddings.token_type_embeddings.weight",
}
_BERT_MODULES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "output": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "norm": "output.LayerNorm",
}


def _bert(prefix: str, positions_follow_padding: bool = False) -> Family:
    return Family(
        sizes=_BERT_SIZES,
        activation="hidden_act",
        embeddings=_BERT_EMBEDDINGS,
        layer="encoder.layer.{}",
        modules=_BERT_MODULES,
        prefix=prefix,
        positions_follow_padding=positions_follow_padding,
    )


_DISTILBERT = Family(
    sizes={
        "vocabulary": "vocab_size",
        "hidden": "dim",
        "layers": "n_layers",
        "heads": "n_heads",
        "inner": "hidden_dim",
        "positions": "max_position_embeddings",
    },
    activation="activation",
    embeddings={name: _BERT_EMBEDDINGS[name] for name in ("words", "positions")},
    layer="transformer.layer.{}",
    modules={
        "query": "attention.q_lin",
        "key": "attention.k_lin",
        "value": "attention.v_lin",
        "output": "attention.out_lin",
        "attention_norm": "sa_layer_norm",
        "up": "ffn.lin1",
        "down": "ffn.lin2",
        "norm": "output_layer_norm",
    },
    prefix="distilbert.",
)

FAMILIES: Mapping[str, Family] = {
    "bert": _bert("bert."),
    "roberta": _bert("roberta.", positions_follow_padding=True),
    "xlm-roberta": _bert("roberta.", positions_follow_padding=True),
    "distilbert": _DISTILBERT,
}
