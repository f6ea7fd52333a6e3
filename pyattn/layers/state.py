"""What a state must hold to be a layer's parameters, and files of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pyattn.arrays import as_numpy, dtype_name
from pyattn.tensors import open_tensors

Shape = tuple[int, ...]
State = Mapping[str, Any]
_COMPUTED = ("float32", "float64")
_CONVERTED = (*_COMPUTED, "float16", "bfloat16")


def check_state(
    state: State, shapes: Mapping[str, Shape], layer: str, dtype: Any, prefix: str
) -> dict[str, np.ndarray]:
    """Return the parameters that ``shapes`` asks for as arrays of one dtype, or say which one does not fit."""
    if not isinstance(state, Mapping):
        raise TypeError(
            f"{layer}: the state is a {type(state).__name__}; expected a mapping of names to arrays, as a "
            "module's .state_dict() is."
        )
    if odd := [name for name in state if not isinstance(name, str)]:
        raise TypeError(
            f"{layer}: the state has a parameter called {odd[0]!r}; expected names, such as 'weight'."
        )
    if prefix:
        state = {name.removeprefix(prefix): x for name, x in state.items() if name.startswith(prefix)}
    for name, shape in shapes.items():
        if name not in state:
            raise ValueError(
                f"{layer}: the state has no parameter {prefix + name!r}; expected one of shape {shape}."
                f"{_resembling(name, shape, state, prefix)}"
            )
    for name, extra in state.items():
        if name not in shapes:
            raise ValueError(
                f"{layer}: the state has a parameter {prefix + name!r} of shape {tuple(np.shape(extra))} that this "
                "layer does not use; computing without it would be another model. Check the layer's options."
            )
    arrays = {name: as_array(state[name], f"{layer}: parameter {prefix + name!r}") for name in shapes}
    for name, array in arrays.items():
        _check_shape(name, array.shape, shapes[name], layer)
    stored = {name: dtype_name(state[name]) for name in shapes}
    return dict(zip(arrays, _in_one_dtype(arrays, stored, layer, dtype), strict=True))


def as_array(parameter: Any, name: str) -> np.ndarray:
    """A NumPy array of a parameter, which may be a torch tensor that waits for a gradient."""
    if hasattr(parameter, "detach"):
        if parameter.is_meta:
            raise ValueError(f"{name} is on torch's device 'meta', which has no memory; load it first.")
        parameter = parameter.detach().cpu()
    return as_numpy(parameter, name)


def _resembling(name: str, shape: Shape, state: State, prefix: str) -> str:
    """What may have been meant: parameters of the same last name."""
    like = [other for other in state if other.rpartition(".")[2] == name.rpartition(".")[2]]
    for other in like:  # the layer may be part of a model
        if other.endswith(f".{name}") and tuple(np.shape(state[other])) == shape:
            return f" It holds {prefix + other!r}: pass prefix={prefix + other.removesuffix(name)!r}."
    found = [f"{prefix + other!r} {tuple(np.shape(state[other]))}" for other in like[:3]]
    return f" It holds {', '.join(found)}." if found else ""


def _check_shape(name: str, got: Shape, expected: Shape, layer: str) -> None:
    if got == expected:
        return
    hint = " It is transposed: pass its .T." if len(got) == 2 and got[::-1] == expected else ""
    raise ValueError(f"{layer}: parameter {name!r} has shape {got}; expected {expected}.{hint}")


def _in_one_dtype(
    arrays: Mapping[str, np.ndarray], stored: Mapping[str, str], layer: str, dtype: Any
) -> list[np.ndarray]:
    if not arrays:
        return []
    wanted = next(iter(stored.values())) if dtype is None else _computed(dtype, layer)
    for name, array in arrays.items():
        fine = _CONVERTED if dtype is not None else {wanted} & set(_COMPUTED)
        if stored[name] not in fine:
            expected = wanted if wanted in _COMPUTED else "float32 or float64"
            raise TypeError(
                f"{layer}: parameter {name!r} of shape {array.shape} has dtype {stored[name]}; expected {expected}, as "
                "the others. Pass dtype='float32' or dtype='float64' to convert floating parameters."
            )
    return [np.asarray(array, wanted, order="C") for array in arrays.values()]


def _computed(dtype: Any, layer: str) -> str:
    try:
        name = np.dtype(dtype).name
    except TypeError:
        name = ""
    if name not in _COMPUTED:
        raise TypeError(f"{layer}: dtype is {dtype!r}; layers compute in 'float32' or 'float64'.")
    return name


def open_state(path: Path) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Read a safetensors file: its arrays and its metadata."""
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}; expected a safetensors file of parameters.")
    with open_tensors(path) as file:
        return {name: file.get_tensor(name) for name in file.keys()}, dict(file.metadata() or {})  # noqa: SIM118
