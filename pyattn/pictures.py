"""Attention weights as a picture that a person can read."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FAINT = 0.03  # a line below this weight would only be noise


def attention_picture(
    words: Sequence[str], weights: np.ndarray, path: str | os.PathLike[str], *, title: str = ""
) -> None:
    """Write a picture of which word looks at which.

    On the left lines run from each word to the words it looks at, as strong as the weights; on the right are the
    same weights as a table.

    Parameters
    ----------
    words : sequence of str
    weights : (words, words) array
        Row i is where word i looks.
    path : path
        The file to write; its suffix chooses the format.
    title : str, optional

    Raises
    ------
    ValueError
        If weights is not (words, words).
    ModuleNotFoundError
        If matplotlib is not installed, naming the extra that brings it.

    Examples
    --------
    >>> import os, numpy as np
    >>> from pyattn.pictures import attention_picture
    >>> attention_picture(["a", "b"], np.array([[0.9, 0.1], [0.5, 0.5]]), os.devnull + ".png")  # doctest: +SKIP
    """
    weights = np.asarray(weights)
    if weights.shape != (len(words), len(words)):
        raise ValueError(
            f"attention_picture: weights has shape {weights.shape}, expected {(len(words), len(words))}"
        )
    figure = _figure(len(words))
    lines, table = figure.subplots(1, 2, width_ratios=[1, 1.4])
    _draw_lines(lines, words, weights)
    _draw_table(table, words, weights)
    figure.suptitle(title)
    figure.savefig(path, dpi=120)


def _figure(words: int) -> Any:
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "a picture needs matplotlib, which is not installed: pip install 'pyattn[pictures]'",
            name=error.name,
        ) from error
    # Not pyplot: it would choose a window system and keep the figure for ever.
    figure = Figure(figsize=(12, 2.5 + 0.3 * words), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _draw_lines(axes: "Axes", words: Sequence[str], weights: np.ndarray) -> None:
    for looking, looked_at in np.argwhere(weights >= _FAINT):
        strength = min(1.0, float(weights[looking, looked_at]))
        axes.plot([0, 1], [looking, looked_at], color="tab:blue", alpha=strength**0.5, linewidth=4 * strength)
    for place, word in enumerate(words):
        axes.text(-0.03, place, word, ha="right", va="center")
        axes.text(1.03, place, word, ha="left", va="center")
    axes.set(xlim=(-0.45, 1.45), ylim=(len(words) - 0.5, -0.5))
    axes.axis("off")


def _draw_table(axes: "Axes", words: Sequence[str], weights: np.ndarray) -> None:
    image = axes.imshow(weights, cmap="Blues", vmin=0)
    axes.set_xticks(range(len(words)), words, rotation=60, ha="right")
    axes.set_yticks(range(len(words)), words)
    axes.set(xlabel="… looks at this word", ylabel="This word …")
    axes.figure.colorbar(image, ax=axes, label="weight", shrink=0.8)
