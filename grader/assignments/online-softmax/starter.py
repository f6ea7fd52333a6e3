"""Assignment 11: attention in blocks. NumPy is all you need; the statement says what counts."""

import numpy as np


def blocked_attention(q, k, v, block):
    """softmax(q kᵀ / √d) v, reading `block` keys at a time and never holding all the scores.

    Parameters
    ----------
    q : (queries, d) array
    k : (keys, d) array
    v : (keys, value width) array
    block : int

    Returns
    -------
    (queries, value width) array
    """
    raise NotImplementedError("blocked_attention is yours to write")
