"""What every layer is: parameters under the names of ``torch.nn``, filled from a state, and saved as one."""

from __future__ import annotations

import inspect
import json
import math
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np

from pyattn.layers.state import Shape, State, check_state, open_state
from pyattn.tensors import save_tensors
from pyattn.whole import is_whole

_Self = TypeVar("_Self", bound="Layer")
# In the metadata of a file that `save` wrote: what the layer was made with, and its class.
_OPTIONS, _LAYER = "pyattn.options", "pyattn.layer"


class Layer:
    """Parameters, and layers with parameters of their own.

    A layer is made by its sizes and has no parameters yet; :meth:`from_state_dict`, :meth:`load` and :meth:`random`
    make one that has. Parameters are arrays, attributes of the layer, with the names and layouts of ``torch.nn``;
    they share one dtype, float32 or float64, which is what the layer computes in.
    """

    __signature__: ClassVar[inspect.Signature]
    options: dict[str, Any]  # what the layer was made with
    _shapes: dict[str, Shape]  # of its own parameters
    _unprefixed: tuple[str, ...] = ()  # layers whose parameters stand among this layer's own

    def __init_subclass__(cls, **options: Any) -> None:
        """Let ``help`` tell what the layer is made with, not what ``__new__`` takes."""
        super().__init_subclass__(**options)
        _, *parameters = inspect.signature(cls.__init__).parameters.values()
        cls.__signature__ = inspect.Signature(parameters)

    def __new__(cls, *sizes: Any, **options: Any) -> Layer:
        """Remember what the layer is made with, whatever kind it is."""
        layer = super().__new__(cls)
        signature = inspect.signature(cls.__init__)
        try:
            given = signature.bind(layer, *sizes, **options).arguments
        except TypeError as error:
            bare = [
                parameter.replace(annotation=parameter.empty)
                for parameter in cls.__signature__.parameters.values()
            ]
            raise TypeError(f"{cls.__name__}: {error}; it is made with {inspect.Signature(bare)}.") from None
        layer.options = {name: value for name, value in given.items() if name != "self"}
        for parameter in signature.parameters.values():
            if parameter.kind is parameter.VAR_KEYWORD:
                layer.options |= layer.options.pop(parameter.name, {})
        layer._shapes = {}
        return layer

    def _declare(self, **shapes: Shape | None) -> None:
        """Name the layer's own parameters; one whose shape is None is none, and its attribute None."""
        for name, shape in shapes.items():
            if shape is None:
                setattr(self, name, None)
                continue
            if any(not is_whole(n) or n < 1 for n in shape):
                raise ValueError(
                    f"{type(self).__name__}: its parameter {name!r} would be of shape {shape}; expected sizes of at "
                    "least 1."
                )
            self._shapes[name] = shape

    def __getattr__(self, name: str) -> Any:
        if name in self.__dict__.get("_shapes", {}):
            raise ValueError(
                f"{type(self).__name__}: the parameter {name!r} {self._shapes[name]} has no value yet; make the layer "
                f"by {type(self).__name__}.from_state_dict(state, …), .load(path, …) or .random(…)."
            )
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def _layers(self) -> Iterator[tuple[str, Layer]]:
        """Each layer in this one, with what stands before its parameters' names."""
        for name, part in vars(self).items():
            if isinstance(part, Layer):
                yield ("" if name in self._unprefixed else f"{name}."), part
            elif isinstance(part, list) and part and isinstance(part[0], Layer):
                yield from ((f"{name}.{number}.", one) for number, one in enumerate(part))

    def shapes(self) -> dict[str, Shape]:
        """Every parameter's name and shape."""
        found = dict(self._shapes)
        for prefix, layer in self._layers():
            found |= {prefix + name: shape for name, shape in layer.shapes().items()}
        return found

    def state_dict(self) -> dict[str, np.ndarray]:
        """Every parameter by its name; the arrays themselves, not copies."""
        found = {name: getattr(self, name) for name in self._shapes}
        for prefix, layer in self._layers():
            found |= {prefix + name: array for name, array in layer.state_dict().items()}
        return found

    def load_state_dict(self, state: State, *, dtype: Any = None, prefix: str = "") -> None:
        """Take every parameter from ``state``: a mapping of arrays or torch tensors.

        They are not copied where they can be used as they are.

        Parameters
        ----------
        state : mapping of names to arrays
            Neither more nor less than :meth:`shapes` tells.
        dtype : {"float32", "float64"}, optional
            What to convert the parameters to; by default they stay what they are, which must then be one of the two.
        prefix : str, optional
            What the layer's parameters begin with in the state of a larger model, such as ``"encoder."``; all others
            are left out.

        Raises
        ------
        ValueError
            Naming the parameter that is missing, of another shape (with both shapes) or not one of the layer's.
        TypeError
            Naming the parameter of another dtype.
        """
        self._take(check_state(state, self.shapes(), type(self).__name__, dtype, prefix))

    def _take(self, state: Mapping[str, np.ndarray]) -> None:
        for name in self._shapes:
            setattr(self, name, state[name])
        for prefix, layer in self._layers():
            layer._take(
                {name.removeprefix(prefix): x for name, x in state.items() if name.startswith(prefix)}
            )

    @classmethod
    def from_state_dict(
        cls: type[_Self], state: State, *sizes: Any, dtype: Any = None, prefix: str = "", **options: Any
    ) -> _Self:
        """Make a layer of these sizes with the parameters of ``state``; see :meth:`load_state_dict`.

        Examples
        --------
        >>> import numpy as np
        >>> from pyattn.layers import Linear
        >>> double = Linear.from_state_dict({"weight": 2 * np.eye(3), "bias": np.ones(3)}, 3, 3)
        >>> double(np.arange(3.0))
        array([1., 3., 5.])
        """
        layer = cls(*sizes, **options)
        layer.load_state_dict(state, dtype=dtype, prefix=prefix)
        return layer

    @classmethod
    def random(cls: type[_Self], *sizes: Any, seed: int = 0, dtype: Any = "float32", **options: Any) -> _Self:
        """Make a layer with parameters drawn as a training would begin with them.

        Matrices are uniform within ±√(6 / (rows + columns)) (Glorot & Bengio, 2010), ``weight`` vectors are ones and
        all others zeros.

        Examples
        --------
        >>> from pyattn.layers import EncoderLayer
        >>> EncoderLayer.random(16, 4, 32).state_dict()["linear1.weight"].shape
        (32, 16)
        """
        layer, rng = cls(*sizes, **options), np.random.default_rng(seed)
        drawn = {name: _drawn(name, shape, rng) for name, shape in layer.shapes().items()}
        layer.load_state_dict(drawn, dtype=dtype)
        return layer

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the parameters to a safetensors file, and with them what the layer was made with."""
        made_with = {_OPTIONS: json.dumps(self.options, default=_plain), _LAYER: type(self).__name__}
        save_tensors(Path(path), self.state_dict(), made_with)

    @classmethod
    def load(
        cls: type[_Self],
        path: str | os.PathLike[str],
        *sizes: Any,
        dtype: Any = None,
        prefix: str = "",
        **options: Any,
    ) -> _Self:
        """Make a layer from a safetensors file.

        Parameters
        ----------
        path : path
        *sizes, **options
            What the layer is made with. None are needed for a file that :meth:`save` wrote; a torch ``state_dict``
            saved by safetensors does not tell them.
        dtype : {"float32", "float64"}, optional
        prefix : str, optional
            As in :meth:`load_state_dict`.
        """
        state, metadata = open_state(Path(path))
        if not sizes and not options:
            if _OPTIONS not in metadata:
                raise ValueError(
                    f"{path} does not say what the {cls.__name__} in it was made with; pass its sizes and options: "
                    f"{cls.__name__}.load(path, {', '.join(_needed(cls))}, …)."
                )
            if metadata.get(_LAYER, cls.__name__) != cls.__name__:
                raise ValueError(
                    f"{path} holds {metadata[_LAYER]}'s parameters; load them by {metadata[_LAYER]}.load, or pass the "
                    f"sizes and options of the {cls.__name__}."
                )
            layer = cls._made_as(metadata[_OPTIONS], path)
        else:
            layer = cls(*sizes, **options)
        layer.load_state_dict(state, dtype=dtype, prefix=prefix)
        return layer

    @classmethod
    def _made_as(cls: type[_Self], text: str, path: str | os.PathLike[str]) -> _Self:
        """The layer that a file says it was made as."""
        try:
            return cls(**json.loads(text))
        except (TypeError, ValueError, ArithmeticError, RecursionError) as error:
            raise ValueError(
                f"{path}: what it says it was made with, {text[:80]!r}, makes no {cls.__name__} ({error}); pass the "
                "sizes and options."
            ) from None


def _plain(number: Any) -> Any:
    """A NumPy number as JSON has it."""
    if isinstance(number, np.generic):
        return number.item()
    raise TypeError(
        f"{number!r} cannot be written to a file; expected numbers, texts and mappings as options."
    )


def _needed(cls: type[Layer]) -> list[str]:
    parameters = inspect.signature(cls.__init__).parameters.values()
    return [p.name for p in parameters if p.name != "self" and p.default is p.empty]


def _drawn(name: str, shape: Shape, rng: np.random.Generator) -> np.ndarray:
    if len(shape) > 1:
        reach = math.sqrt(6 / (shape[-1] + shape[-2]))
        return rng.uniform(-reach, reach, shape)
    return np.full(shape, 1.0 if name.endswith("weight") else 0.0)
