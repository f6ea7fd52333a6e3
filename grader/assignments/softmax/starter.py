"""Assignment 2: softmax. NumPy is all you need; the statement says what counts."""

import numpy as np


def softmax(x, axis=-1):
    """exp(x) / Σ exp(x) along `axis`.

    Parameters
    ----------
    x : float32 or float64 array
    axis : int

    Returns
    -------
    array of x's shape
        Rows along `axis` sum to 1; a row of only -inf gives zeros.
    """
    raise NotImplementedError("softmax is yours to write")
