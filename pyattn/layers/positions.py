"""Positions that are added to vectors (Vaswani et al., 2017, section 3.5); rotations are `MultiHeadAttention`'s."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pyattn.layers.layer import Layer
from pyattn.layers.linear import Embedding, vectors
from pyattn.positions import sinusoidal


class SinusoidalPositions(Layer):
    """Add sines and cosines of each position; see :func:`pyattn.positions.sinusoidal`. There are no parameters.

    Parameters
    ----------
    d_model : even int

    Examples
    --------
    >>> import numpy as np
    >>> from pyattn.layers import SinusoidalPositions
    >>> SinusoidalPositions(4)(np.zeros((1, 2, 4))).round(2)
    array([[[0.  , 1.  , 0.  , 1.  ],
            [0.84, 0.54, 0.01, 1.  ]]])
    """

    def __init__(self, d_model: int):
        self.width = d_model

    def __call__(self, x: ArrayLike, start: int = 0) -> np.ndarray:
        """Add to (..., sequence, d_model) vectors, the first of which stands at position ``start``."""
        x = np.asarray(x)
        if x.dtype.kind in "iub":  # sines would be cut off to zeros
            raise TypeError(f"SinusoidalPositions: x has dtype {x.dtype}; expected floating vectors.")
        x = _sequence(x, self.width, x.dtype, "SinusoidalPositions")
        return x + sinusoidal(start + np.arange(x.shape[-2]), self.width).astype(x.dtype)


class LearnedPositions(Embedding):
    """Add a learned vector for each position.

    Parameters
    ----------
    num_embeddings : int
        The longest sequence.
    embedding_dim : int
        ``weight`` is (num_embeddings, embedding_dim).

    Examples
    --------
    >>> import numpy as np
    >>> from pyattn.layers import LearnedPositions
    >>> LearnedPositions.from_state_dict({"weight": np.eye(3)}, 3, 3)(np.ones((1, 2, 3)), start=1)
    array([[[1., 2., 1.],
            [1., 1., 2.]]])
    """

    def __call__(self, x: ArrayLike, start: int = 0) -> np.ndarray:
        """Add to (..., sequence, embedding_dim) vectors, the first of which stands at position ``start``."""
        x = _sequence(x, self.weight.shape[1], self.weight.dtype, "LearnedPositions")
        last = start + x.shape[-2] - 1
        if start < 0 or last >= len(self.weight):
            raise ValueError(
                f"LearnedPositions: x stands at positions {start} to {last}; there are vectors for 0 to "
                f"{len(self.weight) - 1}."
            )
        return x + self.weight[start : last + 1]


def _sequence(x: ArrayLike, width: int, dtype: Any, layer: str) -> np.ndarray:
    x = vectors(x, width, dtype, layer)
    if x.ndim < 2:
        raise ValueError(f"{layer}: x has shape {x.shape}; expected (..., sequence, {width}).")
    return x
