"""Pictures of an error: what came, what was expected, and how many times the bound they are apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from grader import bounds
from grader.evidence import Evidence

MOST_SIDE = 64  # rows and columns shown


def draw(evidence: Evidence, path: Path) -> Path | None:
    """Draw the first wrong matrix of the first wrong result; None when there is nothing to draw.

    Parameters
    ----------
    evidence : Evidence
    path : Path
        The PNG to write.

    Raises
    ------
    ModuleNotFoundError
        Without matplotlib.
    """
    for got, exact, allowed in zip(evidence.results, evidence.expected, evidence.allowed, strict=True):
        if got.shape == exact.shape and not np.all(bounds.errors(got, exact) <= allowed):
            return _draw(*_first_wrong(np.asarray(got, np.float64), exact, allowed), path)
    return None


def _first_wrong(
    got: np.ndarray, exact: np.ndarray, allowed: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One matrix of each: the last two axes around the first wrong element."""
    index = np.unravel_index(int(np.argmin(bounds.errors(got, exact) <= allowed)), got.shape)
    picked = (
        np.atleast_2d(x[index[:-2]] if x.ndim > 2 else x)[:MOST_SIDE, :MOST_SIDE]
        for x in (got, exact, allowed)
    )
    first, second, third = picked
    return first, second, third


def _draw(got: np.ndarray, exact: np.ndarray, allowed: np.ndarray, path: Path) -> Path:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3))
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        times = bounds.errors(got, exact) / np.maximum(allowed, np.finfo(float).tiny)
    low, high = float(exact.min()), float(exact.max())
    _panel(figure, 0, got, "got", "viridis", low, high)
    _panel(figure, 1, exact, "expected", "viridis", low, high)
    _panel(figure, 2, np.log10(np.maximum(times, 1e-3)), "log10(error / bound)", "coolwarm", -3.0, 3.0)
    figure.savefig(path, dpi=120)
    return path


def _panel(figure: Any, place: int, x: np.ndarray, title: str, colours: str, low: float, high: float) -> None:
    # Places by hand: a layout that matplotlib finds by itself takes twice the time, and somebody waits for it.
    left = 0.04 + place / 3
    axes = figure.add_axes((left, 0.1, 0.22, 0.75))
    image = axes.imshow(np.ma.masked_invalid(x), cmap=colours, vmin=low, vmax=high, interpolation="nearest")
    axes.set_title(title)
    figure.colorbar(image, cax=figure.add_axes((left + 0.23, 0.15, 0.012, 0.65)))
