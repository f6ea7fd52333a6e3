"""Whether arithmetic in a coarser dtype than asked for is behind a wrong answer: the size of its errors tells.

A dtype whose ε is k times as large may make errors k times the bound of the right dtype. Errors of that size speak for
it, larger ones against it, and much smaller ones too.
"""

from __future__ import annotations

import numpy as np

from grader import bounds
from grader.evidence import Evidence, same_shapes

SHARES = 1e-4, 0.5  # of what a coarse dtype may do, at least and at most, for it to be blamed
MOST_LOST = 0.3  # of the largest number: where a coarse dtype may lose more nothing is proved
DECIMALS = 8  # nobody rounds to more
VANISHED = 64  # so many numbers below the smallest one of a coarse dtype may be missing in a sum


def explains(one: Evidence, dtype: str) -> bool:
    """Whether the answer is right but for rounding to a coarser dtype. Some answers survive it altogether."""
    is_coarser = np.finfo(dtype).eps > np.finfo(one.dtype).eps
    return one.right or (is_coarser and _share(one, dtype) <= SHARES[1])


def is_to_blame(dtype: str, wrong: list[Evidence]) -> bool:
    """Whether some wrong answer proves it: errors far below what a dtype does to an answer must come from elsewhere."""
    return any(_is_proof(one, dtype) for one in wrong)


def _is_proof(one: Evidence, dtype: str) -> bool:
    """Whether an answer has errors of the coarse dtype's size where that dtype would leave some digits."""
    factor = float(np.finfo(dtype).eps) / float(np.finfo(one.dtype).eps)
    clear = all(
        factor * np.max(allowed, initial=0.0) <= MOST_LOST * np.max(np.abs(exact), initial=0.0)
        for exact, allowed in zip(one.expected, one.allowed, strict=True)
    )
    least = float(np.finfo(dtype).tiny)  # what is smaller is lost in other ways, too
    return clear and not _is_decimal(one) and _share(one, dtype, least) >= SHARES[0]


def _is_decimal(one: Evidence) -> bool:
    """Whether somebody has rounded the answer to a few decimals: no dtype does that."""
    return any(
        all(np.array_equal(np.round(result, decimals), result) for result in one.results)
        for decimals in range(1, DECIMALS + 1)
    )


def _share(one: Evidence, dtype: str, least: float = 0.0) -> float:
    """The largest error, of numbers of some size, as a share of the bound that the coarse dtype would have."""
    if not same_shapes(one.expected, one.results):
        return np.inf
    factor = float(np.finfo(dtype).eps) / float(np.finfo(one.dtype).eps)
    vanished = VANISHED * float(np.finfo(dtype).smallest_subnormal)
    shares = [
        np.max(
            bounds.errors(got, exact) / (_bound(exact, factor * allowed) + vanished),
            initial=0.0,
            where=np.abs(exact) >= least,
        )
        for got, exact, allowed in zip(one.results, one.expected, one.allowed, strict=True)
    ]
    return float(np.nan_to_num(max(shares), nan=np.inf))


def _bound(exact: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """The bound in a coarse dtype: an element of which no digit is left may be anything of the others' size.

    One that is 0, or no more than that, has no digit to lose.
    """
    size = np.max(np.abs(exact), initial=0.0) / SHARES[1]
    lost = (allowed > np.abs(exact)) & (np.abs(exact) > np.finfo(np.float32).tiny)
    return np.where(lost, np.maximum(allowed, size), allowed)
