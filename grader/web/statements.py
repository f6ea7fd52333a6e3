"""Statements of assignments as HTML: Markdown, formulas as MathML, programs in colour."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import latex2mathml.converter
from markdown_it import MarkdownIt
from markupsafe import Markup
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_by_name
from pygments.util import ClassNotFound

from grader.models import Assignment


def _formula(text: str, options: dict[str, bool]) -> str:
    display = "block" if options["display_mode"] else "inline"
    return str(latex2mathml.converter.convert(text, display=display))


def _code(text: str, language: str, attributes: str) -> str:
    try:
        lexer = get_lexer_by_name(language or "text")
    except ClassNotFound:
        lexer = TextLexer()
    inner = highlight(text, lexer, HtmlFormatter(nowrap=True))
    return f'<pre class="highlight" tabindex="0"><code>{inner}</code></pre>'  # a keyboard can scroll it


_markdown = MarkdownIt("commonmark", {"html": False, "highlight": _code}).enable("table")
_markdown.use(dollarmath_plugin, renderer=_formula)


@lru_cache(maxsize=128)
def _html(path: Path, changed: int) -> str:
    # The page has the title already; the other headings go one step down, as they stand below it.
    tokens = _markdown.parse(path.read_text(encoding="utf-8"))
    if tokens and tokens[0].tag == "h1":
        del tokens[:3]
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + 1, 6)}"
    html = str(_markdown.renderer.render(tokens, _markdown.options, {}))
    return html.replace('<div class="math block">', '<div class="math block" tabindex="0">')


def statement(assignment: Assignment, lang: str) -> Markup:
    """What to do, as HTML. The text comes from the catalogue, and HTML in it is escaped all the same."""
    path = assignment.folder / f"statement.{lang}.md"
    return Markup(_html(path, path.stat().st_mtime_ns))
