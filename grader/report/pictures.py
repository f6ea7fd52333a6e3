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

    figure = Figure(figsize=(9, 3), layout="constrained")
    panels = figure.subplots(1, 3)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        times = bounds.errors(got, exact) / np.maximum(allowed, np.finfo(float).tiny)
    low, high = float(exact.min()), float(exact.max())
    _panel(figure, panels[0], got, "got", "viridis", low, high)
    _panel(figure, panels[1], exact, "expected", "viridis", low, high)
    _panel(
        figure, panels[2], np.log10(np.maximum(times, 1e-3)), "log10(error / bound)", "coolwarm", -3.0, 3.0
    )
    figure.savefig(path, dpi=120)
    return path


def _panel(figure: Any, axes: Any, x: np.ndarray, title: str, colours: str, low: float, high: float) -> None:
    image = axes.imshow(np.ma.masked_invalid(x), cmap=colours, vmin=low, vmax=high, interpolation="nearest")
    axes.set_title(title)
    figure.colorbar(image, ax=axes, shrink=0.8)
