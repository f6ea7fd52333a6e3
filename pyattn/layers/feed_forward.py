"""The two linear maps that a Transformer block applies to each vector by itself."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pyattn.layers.layer import Layer
from pyattn.layers.linear import Linear

ACTIVATIONS = ("relu", "gelu")


class FeedForward(Layer):
    """``linear2(activation(linear1(x)))`` (Vaswani et al., 2017, section 3.3).

    Parameters
    ----------
    d_model, dim_feedforward : int
    activation : {"relu", "gelu"}
        ``max(x, 0)``, or ``x · Φ(x)`` with the exact normal distribution.
    bias : bool

    Examples
    --------
    >>> import numpy as np
    >>> from pyattn.layers import FeedForward
    >>> FeedForward.random(4, 16)(np.ones((2, 3, 4), np.float32)).shape
    (2, 3, 4)
    """

    def __init__(self, d_model: int, dim_feedforward: int, activation: str = "relu", bias: bool = True):
        if activation not in ACTIVATIONS:
            raise ValueError(f"FeedForward: activation is {activation!r}; expected 'relu' or 'gelu'.")
        self.activation = activation
        self.linear1 = Linear(d_model, dim_feedforward, bias)
        self.linear2 = Linear(dim_feedforward, d_model, bias)

    def __call__(self, x: ArrayLike) -> np.ndarray:
        """Map (..., d_model) to (..., d_model)."""
        return self.linear2(self.linear1.followed_by(x, self.activation))
