"""Programs in colour. They are students': of any size, in any encoding, and written to be taken for something else."""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from typing import NamedTuple

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers.c_cpp import CppLexer
from pygments.lexers.python import CythonLexer, PythonLexer
from pygments.lexers.special import TextLexer

from grader.db.tables import SubmittedFile
from grader.printed import shown
from grader.submission import SUFFIXES

# Of a file's language its name decides, but only among these: a lexer that a student chooses can be slow for ever.
_LEXERS = {"numpy": PythonLexer, "cython": CythonLexer, "cpp": CppLexer}
_MOST_LETTERS, _MOST_LINES = 200_000, 5_000  # of all files on a page; a teacher's patience ends before


class Listing(NamedTuple):
    """A file as it is shown."""

    name: str
    html: Markup
    whole: bool


def listings(files: Iterable[SubmittedFile]) -> list[Listing]:
    """A submission's files with numbered lines; what is too much for a page is cut off."""
    found: list[Listing] = []
    letters, lines = _MOST_LETTERS, _MOST_LINES
    for place, file in enumerate(files, 1):
        text = _text(file.content)
        kept = text[:letters].split("\n")[:lines]
        part = "\n".join(kept)
        letters, lines = letters - len(part), lines - len(kept)
        found.append(Listing(file.name, _coloured(file.name, part, place), part == text))
    return found


def _text(content: bytes) -> str:
    """As the grader reads it. What turns the direction of text is shown as a mark: it could hide what a line does."""
    return shown(content.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n").replace(b"\r", b"\n"))


def _coloured(name: str, text: str, place: int) -> Markup:
    """HTML, in which Pygments escapes what is the student's. Lines have names with the file's place on the page."""
    fitting = (_LEXERS[track] for track, suffixes in SUFFIXES.items() if name.endswith(suffixes))
    lexer: type[Lexer] = next(fitting, TextLexer)
    layout = HtmlFormatter(linenos="inline", lineanchors=f"file{place}", anchorlinenos=True)
    return Markup(highlight(text, lexer(stripnl=False), layout))
