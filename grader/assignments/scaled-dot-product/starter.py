"""Assignment 3: scaled dot-product attention. NumPy is all you need; the statement says what counts."""

import numpy as np


def attention(q, k, v):
    """softmax(q kᵀ / √d) v.

    Parameters
    ----------
    q : (..., queries, d) array
    k : (..., keys, d) array
    v : (..., keys, value width) array

    Returns
    -------
    output : (..., queries, value width) array
    weights : (..., queries, keys) array
    """
    raise NotImplementedError("attention is yours to write")
