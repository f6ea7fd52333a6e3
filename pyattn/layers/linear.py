"""Linear maps, and tables of vectors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pyattn import _core
from pyattn.layers.layer import Layer
from pyattn.runtime import get_num_threads


class Linear(Layer):
    """``x @ weight.T + bias``.

    Parameters
    ----------
    in_features, out_features : int
    bias : bool
        ``weight`` is (out_features, in_features), ``bias`` is (out_features,).

    Examples
    --------
    >>> import numpy as np
    >>> from pyattn.layers import Linear
    >>> Linear.random(3, 5)(np.ones((2, 4, 3), np.float32)).shape
    (2, 4, 5)
    """

    weight: np.ndarray
    bias: np.ndarray | None

    def __init__(self, in_features: int, out_features: int, bias: bool = True):
        self._declare(weight=(out_features, in_features), bias=(out_features,) if bias else None)

    def __call__(self, x: ArrayLike) -> np.ndarray:
        """Map (..., in_features) to (..., out_features)."""
        return self.followed_by(x)

    def followed_by(self, x: ArrayLike, activation: str = "none") -> np.ndarray:
        """Map, and apply ``"relu"`` or ``"gelu"`` before the result is stored."""
        x = vectors(x, self.weight.shape[1], self.weight.dtype, "Linear")
        return linear(x, self.weight, self.bias, activation)


def linear(
    x: np.ndarray, weight: np.ndarray, bias: np.ndarray | None = None, activation: str = "none"
) -> np.ndarray:
    """``activation(x @ weight.T + bias)``, as one product over all vectors."""
    rows = x.reshape(math.prod(x.shape[:-1]), x.shape[-1])
    out = np.empty((len(rows), len(weight)), x.dtype)
    _core.linear(rows, weight, bias, activation, out, get_num_threads())
    return out.reshape(*x.shape[:-1], len(weight))


def vectors(x: ArrayLike, width: int, dtype: Any, layer: str, name: str = "x") -> np.ndarray:
    """``x`` as an array of vectors that fit the layer, or an error that says what does not."""
    x = np.asarray(x)
    if x.dtype != dtype:
        raise TypeError(
            f"{layer}: {name} has dtype {x.dtype} and the parameters have {dtype}; convert one of them with .astype "
            "(parameters with from_state_dict(…, dtype=…))."
        )
    if x.ndim < 1 or x.shape[-1] != width:
        raise ValueError(f"{layer}: {name} has shape {x.shape}; expected (..., {width}).")
    return x


class Embedding(Layer):
    """A table with a vector for each number.

    Parameters
    ----------
    num_embeddings, embedding_dim : int
        ``weight`` is (num_embeddings, embedding_dim).

    Examples
    --------
    >>> import numpy as np
    >>> from pyattn.layers import Embedding
    >>> Embedding.from_state_dict({"weight": np.eye(3)}, 3, 3)([2, 0])
    array([[0., 0., 1.],
           [1., 0., 0.]])
    """

    weight: np.ndarray

    def __init__(self, num_embeddings: int, embedding_dim: int):
        self._declare(weight=(num_embeddings, embedding_dim))

    def __call__(self, ids: ArrayLike) -> np.ndarray:
        """Map integers (...) to (..., embedding_dim) vectors."""
        ids = np.asarray(ids)
        if not ids.size:
            return np.empty((*ids.shape, self.weight.shape[1]), self.weight.dtype)
        if ids.dtype.kind not in "iu":
            raise TypeError(f"Embedding: ids have dtype {ids.dtype}; expected whole numbers.")
        rows = len(self.weight)
        if ids.min() < 0 or ids.max() >= rows:  # a negative one would read from the table's end
            raise ValueError(
                f"Embedding: ids run from {ids.min()} to {ids.max()}; the table has rows 0 to {rows - 1}."
            )
        return self.weight[ids]
