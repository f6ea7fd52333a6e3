"""What happens to a text's token vectors: the modules after the Transformer in a sentence-transformers folder."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pyattn.models.checkpoint import read_json, read_object

Pool = Callable[[np.ndarray], np.ndarray]


def _weighted_mean(tokens: np.ndarray) -> np.ndarray:
    """Average with weights 1, 2, 3, …: in a decoder a later token has seen more."""
    weights = np.arange(1, len(tokens) + 1, dtype=tokens.dtype)
    return weights @ tokens / weights.sum()


# Each takes one text's (tokens, hidden) vectors, at least one token, to (hidden,).
POOLS: Mapping[str, Pool] = {
    "cls": lambda tokens: tokens[0],
    "lasttoken": lambda tokens: tokens[-1],
    "max": lambda tokens: tokens.max(axis=0),
    "mean": lambda tokens: tokens.mean(axis=0),
    "mean_sqrt_len_tokens": lambda tokens: tokens.sum(axis=0) / np.sqrt(np.float32(len(tokens))),
    "weightedmean": _weighted_mean,
}


@dataclass(frozen=True)
class Pooling:
    """One vector for a text: the pools of its token vectors side by side, of length one if ``normalize``."""

    pools: tuple[str, ...] = ("mean",)
    normalize: bool = False

    def __call__(self, tokens: np.ndarray) -> np.ndarray:
        """Pool one text's (tokens, hidden) vectors; a text of no tokens gives zeros."""
        if not len(tokens):
            return np.zeros(tokens.shape[1] * len(self.pools), tokens.dtype)
        vector = np.concatenate([POOLS[name](tokens) for name in self.pools])
        return vector / max(np.linalg.norm(vector), 1e-12) if self.normalize else vector


def read_pooling(folder: Path) -> Pooling:
    """Read ``modules.json`` and what it points to.

    A folder without ``modules.json`` is a plain encoder: its token vectors are averaged, as sentence-transformers
    does.

    Raises
    ------
    ValueError
        For a module or a pooling mode that this package does not compute.
    """
    path = folder / "modules.json"
    if not path.exists():
        return Pooling()
    pooling = Pooling()
    for module in read_json(path):
        if not isinstance(module, dict) or not {"type", "path"} <= module.keys():
            raise ValueError(f"{path}: a module is {module!r}; expected one with a type and a path")
        kind = str(module["type"]).rpartition(".")[2]
        if kind == "Pooling":
            pooling = Pooling(_pools(_inside(folder, str(module["path"])) / "config.json"), pooling.normalize)
        elif kind == "Normalize":
            pooling = Pooling(pooling.pools, normalize=True)
        elif kind != "Transformer":
            raise ValueError(
                f"{path}: module {kind!r} is not supported, only Transformer, Pooling and Normalize"
            )
    return pooling


def _inside(folder: Path, name: str) -> Path:
    if ".." in Path(name).parts or Path(name).is_absolute():
        raise ValueError(f"{folder / 'modules.json'}: the path {name!r} leaves the folder of the model")
    return folder / name


def _pools(path: Path) -> tuple[str, ...]:
    pools = _named_pools(read_object(path))
    for name in pools:
        if name not in POOLS:
            raise ValueError(f"{path}: pooling mode {name!r} is not supported, only {', '.join(POOLS)}")
    return pools


def _named_pools(config: Mapping[str, Any]) -> tuple[str, ...]:
    """Read the present form, ``pooling_mode: name or names``, or the older one, a switch for each mode."""
    if "pooling_mode" in config:
        modes = config["pooling_mode"]
        return (modes,) if isinstance(modes, str) else tuple(modes)
    return tuple(mode for switch, mode in _OLD_SWITCHES.items() if config.get(switch)) or ("mean",)


# In the order in which sentence-transformers puts the pools side by side.
_OLD_SWITCHES = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
