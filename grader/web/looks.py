"""How things are shown: Bootstrap as the base, colours of programs, charts, filters of templates."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Flask, Response, request
from flask_bootstrap import Bootstrap5
from pygments.formatters import HtmlFormatter

from grader.services import shelf
from grader.services.access import may
from grader.services.standing import Attempt
from grader.web.identity import me
from grader.web.languages import language
from grader.web.times import field_time, show_distance, show_time
from grader.web.transactions import reading, settings

THEME_COOKIE = "theme"
THEMES = ("auto", "light", "dark")
TRACKS = {"numpy": "NumPy", "cython": "Cython", "cpp": "C++"}
_WIDTH, _HEIGHT, _EDGE = 600, 140, 14

bp = Blueprint("looks", __name__)


def init_app(app: Flask) -> None:
    """Set Bootstrap and the templates' words up."""
    Bootstrap5(app)
    app.register_blueprint(bp)
    app.jinja_env.filters.update(time=show_time, distance=show_distance, field_time=field_time)
    app.jinja_env.filters.update(points=points, change=change)
    app.jinja_env.globals.update(
        may=lambda act, course: may(reading(), me(), act, course),
        tracks=TRACKS,
        title_of=lambda slug: shelf.title(slug, language()),
    )
    app.context_processor(lambda: {"theme": theme(), "site": settings().site})


def theme() -> str:
    """Light, dark, or as the system likes it."""
    chosen = request.cookies.get(THEME_COOKIE, "auto")
    return chosen if chosen in THEMES else "auto"


def points(number: float | None) -> str:
    """A score: no decimals when there are none."""
    return "–" if number is None else f"{number:.1f}".rstrip("0").rstrip(".")


def change(number: float) -> str:
    """What a score has gained, with its sign."""
    return f"{number:+.2f}".rstrip("0").rstrip(".") if abs(number) >= 0.005 else "±0"


def _formatter(**options: Any) -> Any:
    """Pygments' formatter, whose methods have no types."""
    return HtmlFormatter(**options)


@bp.get("/code.css")
def code_css() -> Response:
    """The colours of programs, light and dark."""
    light, dark = (_formatter(style=name) for name in ("default", "github-dark"))
    forced = dark.get_style_defs(':root[data-theme="dark"] .highlight')
    chosen = dark.get_style_defs(':root[data-theme="auto"] .highlight')
    css = f"{light.get_style_defs('.highlight')}\n{forced}\n@media (prefers-color-scheme: dark) {{\n{chosen}\n}}\n"
    return Response(css, mimetype="text/css", headers={"Cache-Control": "max-age=3600"})


def chart(attempts: list[Attempt]) -> list[tuple[float, float, Attempt]]:
    """Where the points of a history of scores stand in a picture of 600 × 140."""
    graded = [one for one in attempts if one.score is not None]
    step = (_WIDTH - 2 * _EDGE) / max(len(graded) - 1, 1)
    return [
        (
            _EDGE + i * step,
            _HEIGHT - _EDGE - (one.score or 0) / (one.max_score or 1) * (_HEIGHT - 2 * _EDGE),
            one,
        )
        for i, one in enumerate(graded)
    ]
