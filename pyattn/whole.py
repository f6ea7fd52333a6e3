"""Whole numbers among what callers pass."""

from __future__ import annotations

from typing import Any


def is_whole(number: Any) -> bool:
    """Whether it is a whole number of Python, NumPy or whoever has them; True and False are none."""
    return hasattr(number, "__index__") and not isinstance(number, bool)
