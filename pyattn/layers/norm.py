"""Layer normalisation, and the sum before it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pyattn import _core
from pyattn.layers.layer import Layer
from pyattn.layers.linear import vectors
from pyattn.runtime import get_num_threads


class LayerNorm(Layer):
    """``(x − mean x) / √(var x + eps) · weight + bias`` over the last axis (Ba et al., 2016).

    Parameters
    ----------
    normalized_shape : int
        The width of the vectors.
    eps : float
    elementwise_affine, bias : bool
        Whether there is a ``weight``, and with it a ``bias``, both (normalized_shape,).

    Examples
    --------
    >>> import numpy as np
    >>> from pyattn.layers import LayerNorm
    >>> LayerNorm.random(2, dtype="float64")([[1.0, 5.0]]).round(3)
    array([[-1.,  1.]])
    """

    weight: np.ndarray | None
    bias: np.ndarray | None

    def __init__(
        self, normalized_shape: int, eps: float = 1e-5, elementwise_affine: bool = True, bias: bool = True
    ):
        if not hasattr(eps, "__float__") or not 0 <= eps < np.inf:
            raise ValueError(f"LayerNorm: eps is {eps!r}; expected a number of at least 0.")
        self.width, self.eps = normalized_shape, eps
        shape = (normalized_shape,)
        self._declare(
            weight=shape if elementwise_affine else None, bias=shape if elementwise_affine and bias else None
        )

    def __call__(self, x: ArrayLike) -> np.ndarray:
        """Normalise (..., normalized_shape)."""
        return self._of_sum(x)

    def _of_sum(self, x: ArrayLike, residual: np.ndarray | None = None) -> np.ndarray:
        """The norm of ``x + residual``, in one pass over memory."""
        x = np.asarray(x)
        dtype = x.dtype if self.weight is None else self.weight.dtype
        rows = np.ascontiguousarray(vectors(x, self.width, dtype, type(self).__name__)).reshape(
            -1, self.width
        )
        others = None if residual is None else np.ascontiguousarray(residual).reshape(rows.shape)
        gamma = np.ones(self.width, dtype) if self.weight is None else self.weight
        beta = np.zeros(self.width, dtype) if self.bias is None else self.bias
        out = np.empty_like(rows)
        _core.residual_layer_norm(rows, others, gamma, beta, self.eps, out, get_num_threads())
        return out.reshape(x.shape)


class AddNorm(LayerNorm):
    """``LayerNorm(x + branch)``: what stands around each part of a Transformer block (Vaswani et al., 2017).

    Parameters are those of :class:`LayerNorm`.

    Examples
    --------
    >>> import numpy as np
    >>> from pyattn.layers import AddNorm
    >>> AddNorm.random(2, dtype="float64")(np.array([[1.0, 2.0]]), np.array([[0.0, 3.0]])).round(3)
    array([[-1.,  1.]])
    """

    def __call__(self, x: ArrayLike, branch: ArrayLike | None = None) -> np.ndarray:
        """Normalise ``x + branch``."""
        x = np.asarray(x)
        branch = None if branch is None else vectors(branch, self.width, x.dtype, "AddNorm", "branch")
        if branch is not None and branch.shape != x.shape:
            raise ValueError(f"AddNorm: branch has shape {branch.shape} and x {x.shape}; expected the same.")
        return self._of_sum(x, branch)
