"""Pictures of an error: what came, what was expected, and how many times the bound they are apart (log10).

There is no word in them: one picture is for readers of every language, and who shows it tells what it shows.
"""

from __future__ import annotations

from dataclasses import dataclass
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
            wrong = ~(bounds.errors(got, exact) <= allowed)
            return _draw(Window.around_first(wrong), (np.asarray(got, np.float64), exact, allowed), path)
    return None


@dataclass(frozen=True)
class Window:
    """Rows and columns of one matrix of a result."""

    matrix: tuple[int, ...]
    rows: slice
    columns: slice

    @classmethod
    def around_first(cls, wrong: np.ndarray) -> Window:
        """What is shown of the matrix with the first wrong element: it and what is near."""
        index = tuple(int(i) for i in np.unravel_index(int(np.argmax(wrong)), wrong.shape))
        rows, columns = np.atleast_2d(wrong).shape[-2:]
        row, column = (0, 0, *index)[-2:]
        return cls(index[:-2], _near(row, rows), _near(column, columns))

    def of(self, x: np.ndarray) -> np.ndarray:
        """That part of an array."""
        return np.atleast_2d(x[self.matrix])[self.rows, self.columns]

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top, so that indices stand at the middle of what they name."""
        return self.columns.start - 0.5, self.columns.stop - 0.5, self.rows.stop - 0.5, self.rows.start - 0.5


def _near(index: int, count: int) -> slice:
    start = min(max(0, index - MOST_SIDE // 2), max(0, count - MOST_SIDE))
    return slice(start, min(count, start + MOST_SIDE))


def _draw(window: Window, arrays: tuple[np.ndarray, ...], path: Path) -> Path:
    from matplotlib.figure import Figure

    got, exact, allowed = map(window.of, arrays)
    figure = Figure(figsize=(9, 3))
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        times = bounds.errors(got, exact) / np.maximum(allowed, np.finfo(float).tiny)
    low, high = float(exact.min()), float(exact.max())
    panels = [
        Panel(got, "viridis", low, high),
        Panel(exact, "viridis", low, high),
        Panel(np.log10(np.maximum(times, 1e-3)), "coolwarm", -3.0, 3.0),
    ]
    for place, panel in enumerate(panels):
        panel.draw(figure, 0.04 + place / 3, window)
    figure.savefig(path, dpi=120)
    return path


@dataclass(frozen=True)
class Panel:
    """One of the matrices side by side."""

    numbers: np.ndarray
    colours: str
    low: float
    high: float

    def draw(self, figure: Any, left: float, window: Window) -> None:
        """Places by hand: a layout that matplotlib finds by itself takes twice the time, and somebody waits for it."""
        axes = figure.add_axes((left, 0.1, 0.22, 0.85))
        # Beyond the ends all have the colour of the end; matplotlib computes differences, which may overflow there.
        shown = np.ma.masked_invalid(self.numbers).clip(self.low, self.high)
        image = axes.imshow(
            shown, cmap=self.colours, vmin=self.low, vmax=self.high,
            interpolation="nearest", extent=window.extent,
        )  # fmt: skip
        figure.colorbar(image, cax=figure.add_axes((left + 0.23, 0.2, 0.012, 0.65)))
