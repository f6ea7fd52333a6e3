"""Attention weights as a picture that a person can read."""

import math
import os
import sys
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np
from numpy.typing import ArrayLike

from pyattn.arrays import as_numpy
from pyattn.terminal import table_of, width_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FAINT = 0.03  # a line below this weight would only be noise


# Fonts with Chinese characters, as systems have them; the first that is installed stands in where a label needs it.
_CHINESE_FONTS = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans SC",
    "Source Han Sans SC",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "PingFang SC",
    "Hiragino Sans GB",
    "Microsoft YaHei",
    "SimHei",
    "Droid Sans Fallback",
)


def show(
    weights: ArrayLike,
    queries: Sequence[str] | None = None,
    keys: Sequence[str] | None = None,
    *,
    title: str = "",
    path: str | os.PathLike[str] | None = None,
    file: TextIO | None = None,
) -> Any:
    """Show who looks at whom: a heat map, and the same in letters for the terminal.

    Parameters
    ----------
    weights : (queries, keys) or (heads, queries, keys) array
        As ``return_weights=True`` gives them; heads become small multiples.
    queries, keys : sequences of str, optional
        The words; by default their numbers. Chinese ones are fine, if a font with Chinese characters is installed.
    title : str, optional
    path : path, optional
        Where to write the picture; its suffix chooses the format.
    file : text file, default ``sys.stdout``
        Where the letters go.

    Returns
    -------
    matplotlib.figure.Figure or None
        What a notebook displays; None where matplotlib is not installed and no ``path`` asks for it.

    Raises
    ------
    ValueError
        If weights and words do not fit each other.
    ModuleNotFoundError
        If there is a ``path`` and matplotlib is not installed.

    Examples
    --------
    >>> import pyattn
    >>> figure = pyattn.show([[0.9, 0.1], [0.5, 0.5]], ["la", "bola"], ["the", "ball"])
           the  ball
      la  █ 90    10
    bola  ▒ 50  ▒ 50
    """
    heads = _by_head(weights)
    queries = _labels(queries, heads.shape[1], "queries")
    keys = _labels(keys, heads.shape[2], "keys")
    if not isinstance(title, str):
        raise TypeError(f"show: title is {title!r}; expected a str.")
    title = _in_a_line(title)
    out = sys.stdout if file is None else file
    for number, head in enumerate(heads):
        if title or len(heads) > 1:
            _say(f"{title}{' · ' if title and len(heads) > 1 else ''}{_head_name(number, len(heads))}", out)
        _say(table_of(head, queries, keys), out)
    try:
        figure = _heat_maps(heads, queries, keys, title)
    except ModuleNotFoundError:
        if path is not None:
            raise
        return None
    if path is not None:
        figure.savefig(path, dpi=120)
    return figure


def _by_head(weights: ArrayLike) -> np.ndarray:
    weights = as_numpy(weights, "show: weights").astype(np.float64)
    if weights.ndim not in (2, 3) or not weights.size:
        raise ValueError(
            f"show: weights has shape {weights.shape}; expected (queries, keys) or (heads, queries, keys), at least "
            "one of each. Pick one item of a batch."
        )
    return weights if weights.ndim == 3 else weights[None]


def _labels(words: Sequence[str] | None, count: int, name: str) -> list[str]:
    labels = [_in_a_line(str(word)) for word in (range(count) if words is None else words)]
    if len(labels) != count:
        raise ValueError(f"show: {name} has {len(labels)} words and the weights {count}; expected as many.")
    return labels


def _in_a_line(text: str) -> str:
    """The text without what would move a terminal's cursor or is no character at all."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def _say(text: str, out: TextIO) -> None:
    """Print, with question marks for what the file's encoding does not have."""
    encoding = getattr(out, "encoding", None) or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), file=out)


def _head_name(number: int, heads: int) -> str:
    return f"head {number}" if heads > 1 else ""


def _heat_maps(heads: np.ndarray, queries: list[str], keys: list[str], title: str) -> Any:
    columns = math.ceil(math.sqrt(len(heads)))
    rows = math.ceil(len(heads) / columns)
    cell = (1.5 + 0.45 * len(keys), 1.2 + 0.35 * len(queries))
    figure = _figure((columns * cell[0], rows * cell[1] + 0.4))
    style = _as_written([title, *queries, *keys])
    for number, head in enumerate(heads):
        axes = figure.add_subplot(rows, columns, number + 1)
        axes.imshow(head, cmap="Blues", vmin=0, vmax=max(1e-9, np.nanmax(heads, initial=0)))
        axes.set_xticks(range(len(keys)), keys, rotation=60, ha="right", rotation_mode="anchor", **style)
        axes.set_yticks(range(len(queries)), queries, **style)
        axes.set_title(_head_name(number, len(heads)))
    if title:
        figure.suptitle(title, **style)
    return figure


def _as_written(texts: Sequence[str]) -> dict[str, Any]:
    """How to draw texts: dollars are dollars, not formulas, and Chinese has a font beside the usual one."""
    return {"parse_math": False, **_fonts_for(texts)}


def _fonts_for(texts: Sequence[str]) -> dict[str, Any]:
    if all(width_of(text) == len(text) for text in texts):
        return {}
    from matplotlib import font_manager, rcParams

    installed = set(font_manager.get_font_names())
    found = next((name for name in _CHINESE_FONTS if name in installed), None)
    if found is None:
        warnings.warn(
            "no font with Chinese characters is installed: the labels will be boxes. Install one, such as "
            "fonts-noto-cjk, and remove matplotlib's font cache.",
            stacklevel=5,
        )
        return {}
    return {"fontfamily": [*rcParams["font.family"], found]}


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
    figure = _figure((12, 2.5 + 0.3 * len(words)))
    lines, table = figure.subplots(1, 2, width_ratios=[1, 1.4])
    style = _as_written([title, *words])
    _draw_lines(lines, words, weights, style)
    _draw_table(table, words, weights, style)
    figure.suptitle(title, **style)
    figure.savefig(path, dpi=120)


def _figure(inches: tuple[float, float]) -> Any:
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "a picture needs matplotlib, which is not installed: pip install 'pyattn[pictures]'",
            name=error.name,
        ) from error
    # Not pyplot: it would choose a window system and keep the figure for ever.
    figure = Figure(figsize=inches, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _draw_lines(axes: "Axes", words: Sequence[str], weights: np.ndarray, style: dict[str, Any]) -> None:
    for looking, looked_at in np.argwhere(weights >= _FAINT):
        strength = min(1.0, float(weights[looking, looked_at]))
        axes.plot([0, 1], [looking, looked_at], color="tab:blue", alpha=strength**0.5, linewidth=4 * strength)
    for place, word in enumerate(words):
        axes.text(-0.03, place, word, ha="right", va="center", **style)
        axes.text(1.03, place, word, ha="left", va="center", **style)
    axes.set(xlim=(-0.45, 1.45), ylim=(len(words) - 0.5, -0.5))
    axes.axis("off")


def _draw_table(axes: "Axes", words: Sequence[str], weights: np.ndarray, style: dict[str, Any]) -> None:
    image = axes.imshow(weights, cmap="Blues", vmin=0)
    axes.set_xticks(range(len(words)), words, rotation=60, ha="right", **style)
    axes.set_yticks(range(len(words)), words, **style)
    axes.set(xlabel="… looks at this word", ylabel="This word …")
    axes.figure.colorbar(image, ax=axes, label="weight", shrink=0.8)
