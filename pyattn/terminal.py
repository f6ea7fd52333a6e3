"""Attention weights in letters, for a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np

_SHADES = " ░▒▓█"
_FEWEST = 4  # columns of a cell: a shade and two digits stand apart from their neighbours


def table_of(weights: np.ndarray, queries: Sequence[str], keys: Sequence[str]) -> str:
    """Write a row for each query: how many hundredths of its weight each key has, and a shade for it.

    Parameters
    ----------
    weights : (queries, keys) array
    queries, keys : sequences of str
        The labels.
    """
    margin = max([width_of(label) for label in queries], default=0)
    columns = [max(_FEWEST, width_of(key)) for key in keys]
    head = " " * margin + "".join(f"  {_padded(key, n)}" for key, n in zip(keys, columns, strict=True))
    rows = [
        _padded(query, margin)
        + "".join(f"  {_padded(_cell(w), n)}" for w, n in zip(row, columns, strict=True))
        for query, row in zip(queries, weights, strict=True)
    ]
    return "\n".join(line.rstrip() for line in [head, *rows])


def width_of(text: str) -> int:
    """How many columns of a terminal a text takes: a Chinese character takes two, an accent by itself none."""
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _padded(text: str, columns: int) -> str:
    return " " * (columns - width_of(text)) + text


def _cell(weight: float) -> str:
    if not np.isfinite(weight):
        return "nan"
    shade = _SHADES[min(len(_SHADES) - 1, max(0, int(len(_SHADES) * weight)))]  # one for each fifth
    return f"{shade}{round(100 * float(weight)):3d}"
