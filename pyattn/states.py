"""Parts of attention joined into the whole."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyattn.arrays import FLOATING, as_numpy, framework_of, from_numpy


def merge_states(outs: Any, lses: Any) -> tuple[Any, Any]:
    """Join attention over disjoint sets of keys into attention over all of them.

    With ``lse = log Σ_s exp(lse_s)``, computes ``out = Σ_s exp(lse_s − lse) · out_s`` (the merge rule of
    FlashDecoding and of ring attention).

    Parameters
    ----------
    outs : sequence of (..., heads, queries, value_width) arrays
    lses : sequence of (..., heads, queries) arrays
        As ``attention(..., return_lse=True)`` gives them.

    Returns
    -------
    out : (..., heads, queries, value_width) array
        In the dtype of ``outs[0]``. Rows that see no key in any part are zeros.
    lse : (..., heads, queries) array

    Examples
    --------
    >>> import numpy as np, pyattn
    >>> q, k, v = np.random.default_rng(0).standard_normal((3, 2, 6, 8))
    >>> halves = [pyattn.attention(q, k[:, s], v[:, s], return_lse=True) for s in (slice(0, 4), slice(4, 6))]
    >>> out, lse = pyattn.merge_states(*zip(*halves))
    >>> bool(np.allclose(out, pyattn.attention(q, k, v)))
    True
    """
    outs, lses = list(outs), list(lses)
    if not outs or len(outs) != len(lses):
        raise ValueError(
            f"merge_states: {len(outs)} outs and {len(lses)} lses; expected as many, and at least one."
        )
    framework = framework_of(outs[0])
    parts = [_floating(x, "merge_states: outs") for x in outs]
    logs = [_floating(x, "merge_states: lses") for x in lses]
    for i, (part, log) in enumerate(zip(parts, logs, strict=True)):
        like = (part.shape, part.dtype) == (parts[0].shape, parts[0].dtype)
        if not part.ndim or not like or log.shape != part.shape[:-1]:
            raise ValueError(
                f"merge_states: part {i} has out {part.dtype} {part.shape} and lse {log.shape}; expected out "
                f"{parts[0].dtype} {parts[0].shape} and lse {parts[0].shape[:-1]} as in part 0."
            )
    out, lse = _merge(parts, logs)
    return from_numpy(out, framework, outs[0]), from_numpy(lse, framework, lses[0])


def _floating(array: Any, name: str) -> np.ndarray:
    array = as_numpy(array, name)
    if array.dtype.name not in FLOATING:
        raise TypeError(
            f"{name} has dtype {array.dtype}; expected {', '.join(FLOATING)} (convert with .astype)."
        )
    return array


def _merge(parts: list[np.ndarray], logs: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    wide = np.result_type(logs[0].dtype, np.float32)
    largest = np.maximum.reduce([log.astype(wide, copy=False) for log in logs])
    floor = np.where(np.isneginf(largest), 0, largest)  # (−inf) − (−inf) would be NaN
    total = np.zeros(parts[0].shape, wide)
    shares_sum = np.zeros(largest.shape, wide)
    for part, log in zip(parts, logs, strict=True):
        with np.errstate(invalid="ignore"):  # an lse of +inf makes its row NaN, and that is no news
            share = np.exp(log.astype(wide, copy=False) - floor)
        shares_sum += share
        total += np.where(share[..., None] == 0, 0, share[..., None] * part.astype(wide, copy=False))
    with np.errstate(divide="ignore"):
        lse = floor + np.log(shares_sum)
    total /= np.where(shares_sum == 0, 1, shares_sum)[..., None]
    return total.astype(parts[0].dtype, copy=False), lse.astype(logs[0].dtype, copy=False)
