"""Assignment 4: causal masks and valid lengths. NumPy is all you need; the statement says what counts."""

import numpy as np


def masked_attention(q, k, v, *, causal=False, valid_lens=None):
    """softmax(q kᵀ / √d) v over the keys that each query may see.

    Parameters
    ----------
    q : (batch, queries, d) array
    k : (batch, keys, d) array
    v : (batch, keys, value width) array
    causal : bool
        Query i sees key j if j <= i + keys - queries.
    valid_lens : None, or whole numbers (batch,) or (batch, queries)
        Key j is seen if j < valid_lens.

    Returns
    -------
    (batch, queries, value width) array
        Zeros for a query that sees no key.
    """
    raise NotImplementedError("masked_attention is yours to write")
