"""Read a BERT-family checkpoint: ``config.json`` and ``model.safetensors`` of a Hugging Face folder."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pyattn.models.families import FAMILIES, BertConfig, Family
from pyattn.tensors import open_tensors

_MOST_NAMED = 20  # files of a folder in a message

Weights = Mapping[str, np.ndarray]
Shape = tuple[int, ...]


def read_json(path: Path) -> Any:
    """Read one of a model folder's JSON files.

    Raises
    ------
    FileNotFoundError
        Naming the file and what the folder holds instead.
    ValueError
        If the file is no JSON.
    """
    try:
        return json.loads(require_file(path).read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} is not valid JSON ({error}); fetch the model folder again") from error


def read_object(path: Path) -> dict[str, Any]:
    """Read a JSON file that must hold names and values. ValueError if it does not."""
    found = read_json(path)
    if not isinstance(found, dict):
        raise ValueError(
            f"{path} holds a {type(found).__name__}; expected names and values. Fetch the model again"
        )
    return found


def require_file(path: Path) -> Path:
    """Return path if it is a file, else say what its folder holds."""
    if path.is_file():
        return path
    folder = path.parent
    if not folder.is_dir():
        raise FileNotFoundError(f"{path.name} is looked for in {folder}, which is not a folder")
    names = sorted(item.name for item in folder.iterdir())
    found = ", ".join(names[:_MOST_NAMED]) or "nothing"
    found += ", …" if len(names) > _MOST_NAMED else ""
    raise FileNotFoundError(f"model folder {folder} has no {path.name}; it holds {found}")


def read_config(folder: Path) -> BertConfig:
    """Read the sizes of the encoder, refusing every variant that would be computed wrongly.

    Raises
    ------
    ValueError
        For a model_type, an activation or a kind of position that this package does not compute.
    """
    published = read_object(folder / "config.json")
    family = family_of(published.get("model_type"), folder)
    try:
        config = family.config(published)
    except KeyError as error:
        raise ValueError(f"{folder / 'config.json'} has no entry {error}") from None
    _refuse_variants(published, family, folder / "config.json")
    for ours, theirs in family.sizes.items():
        if type(size := getattr(config, ours)) is not int or size < 1:
            raise ValueError(
                f"{folder / 'config.json'}: {theirs} is {size!r}; expected a whole number of at least 1"
            )
    if config.hidden % config.heads:
        raise ValueError(
            f"{folder / 'config.json'}: the hidden size {config.hidden} is not a multiple of the "
            f"{config.heads} attention heads"
        )
    return config


def family_of(model_type: object, folder: Path) -> Family:
    """Return the spelling of model_type."""
    if not isinstance(model_type, str) or model_type not in FAMILIES:
        raise ValueError(
            f"{folder / 'config.json'}: model_type {model_type!r} is not supported; "
            f"pyattn.models reads {', '.join(FAMILIES)}"
        )
    return FAMILIES[model_type]


def _refuse_variants(published: Mapping[str, Any], family: Family, path: Path) -> None:
    computed: dict[str, Any] = {
        family.activation: "gelu",
        "position_embedding_type": "absolute",
        "is_decoder": False,
        "add_cross_attention": False,
    }
    for entry, expected in computed.items():
        if published.get(entry, expected) != expected:
            raise ValueError(f"{path}: {entry} is {published[entry]!r}; only {expected!r} is supported")


def read_weights(folder: Path, config: BertConfig) -> dict[str, np.ndarray]:
    """Read every tensor of the encoder as float32, under the names of `pyattn.models.families`.

    Raises
    ------
    ValueError
        Naming the tensor that is missing, has another shape than the configuration says (with both shapes),
        or belongs to no part of the encoder.
    """
    family = FAMILIES[config.model_type]
    expected = family.shapes(config)
    path = require_file(folder / "model.safetensors")
    with open_tensors(path) as tensors:
        names = _encoder_names(list(tensors.keys()), family)
        found = {name: tuple(tensors.get_slice(stored).get_shape()) for name, stored in names.items()}
        _check(found, dict(expected.values()), family, path)
        return {ours: _float32(tensors.get_tensor(names[theirs])) for ours, (theirs, _) in expected.items()}


def _encoder_names(stored: list[str], family: Family) -> dict[str, str]:
    """Map the encoder's names to the stored ones.

    A model saved with a task's head has a prefix before the encoder's names; what lacks it is the head.
    """
    prefix = family.prefix if any(name.startswith(family.prefix) for name in stored) else ""
    return {name.removeprefix(prefix): name for name in stored if name.startswith(prefix)}


def _check(found: Mapping[str, Shape], expected: Mapping[str, Shape], family: Family, path: Path) -> None:
    for name, shape in expected.items():
        if name not in found:
            raise ValueError(f"{path} has no tensor {name!r}; config.json makes it one of shape {shape}")
        if found[name] != shape:
            raise ValueError(
                f"{path}: tensor {name!r} has shape {found[name]}, but config.json makes it {shape}"
            )
    for name, shape in found.items():
        if name not in expected and not name.startswith(family.unused):
            raise ValueError(
                f"{path} has a tensor {name!r} of shape {shape} that the encoder described by config.json "
                "does not use; computing without it would be another model"
            )


def _float32(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array, dtype=np.float32)
