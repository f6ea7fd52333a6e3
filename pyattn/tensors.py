"""Files of parameters: safetensors."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pyattn.extras import missing_extra


def open_tensors(path: Path) -> Any:
    """Open a safetensors file, as a context of NumPy arrays."""
    try:
        import ml_dtypes  # noqa: F401  (gives NumPy a bfloat16, which safetensors asks it for)
        from safetensors import SafetensorError, safe_open
    except ModuleNotFoundError as error:
        raise missing_extra("files of parameters need", error) from error
    try:
        return safe_open(str(path), framework="numpy")
    except SafetensorError as error:
        raise ValueError(
            f"{path} is not a readable safetensors file ({error}); fetch it again, or save a module's parameters by "
            "safetensors.torch.save_file(module.state_dict(), path)"
        ) from error


def save_tensors(path: Path, tensors: Mapping[str, np.ndarray], metadata: dict[str, str]) -> None:
    """Write arrays and metadata to a safetensors file."""
    try:
        import ml_dtypes  # noqa: F401
        from safetensors.numpy import save_file
    except ModuleNotFoundError as error:
        raise missing_extra("files of parameters need", error) from error
    if not path.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {path.parent} to write {path.name} to; make it first")
    # safetensors writes the memory of an array as it lies, whatever its strides.
    save_file({name: np.asarray(x, order="C") for name, x in tensors.items()}, str(path), metadata)
