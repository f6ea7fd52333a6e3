"""A batch in as many parts as there are threads.

Between two matrix products the threads of the products are still awake, and ours would fight with them for the
processors: nearly twice the time of an encoder layer (d 512, 8 heads, 256 tokens, batch 8, two cores). So each thread
takes a part of the batch through all of it, with products of one thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

import numpy as np

from pyattn import runtime
from pyattn.blas import single_threaded_blas

# Fewer products than this are done before a limit is set and the threads are there.
_WORK = 1e9

_here = threading.local()


def threads() -> int:
    """How many threads a call uses that is made here: one, within a part."""
    return 1 if getattr(_here, "within_part", False) else runtime.get_num_threads()


def in_parts(
    encode: Callable[[np.ndarray, Any], np.ndarray], x: np.ndarray, mask: Any, parameters: int
) -> np.ndarray:
    """Compute ``encode(x, mask)`` of a batch, part by part if that is worth it.

    Parameters
    ----------
    encode : function
        Of (batch, sequence, width) and a mask for them, item by item.
    x : (..., sequence, width) array
    mask : Mask or None
    parameters : int
        How many products a vector takes.
    """
    count = min(threads(), len(x)) if x.ndim == 3 else 1
    if count < 2 or x.shape[0] * x.shape[1] * parameters < _WORK or find_spec("threadpoolctl") is None:
        return encode(x, mask)
    edges = np.linspace(0, len(x), count + 1).astype(int)
    parts = [slice(a, b) for a, b in pairwise(edges)]

    def encode_part(part: slice) -> np.ndarray:
        _here.within_part = True
        return encode(x[part], None if mask is None else mask.of_items(part, len(x)))

    with single_threaded_blas(), ThreadPoolExecutor(count, "pyattn-layer") as pool:
        return np.concatenate(list(pool.map(encode_part, parts)))
