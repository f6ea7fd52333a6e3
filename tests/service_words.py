"""Everything that the pages say, as it stands in the sources."""

from pathlib import Path

from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import read_po

from grader.services.audit import ACTS
from grader.services.imports import NOTES
from grader.services.refusals import REFUSALS
from grader.web.languages import PO

WEB = PO.parents[3]
_METHODS = [("**.py", "python"), ("**/templates/**.html", "jinja2.ext:babel_extract")]
_KEYWORDS = {**DEFAULT_KEYWORDS, "_l": None}


def said() -> set[str | tuple[str, ...]]:
    """The words of templates, forms, pages and refusals; a tuple where there is a plural."""
    found = extract_from_dir(str(WEB), _METHODS, {}, keywords=_KEYWORDS, strip_comment_tags=True)
    words = {message for _file, _line, message, _comments, _context in found}
    return words | {text for _status, text in REFUSALS.values()} | set(ACTS) | set(NOTES.values())


def translated():
    """The Chinese catalogue."""
    with Path(PO).open("rb") as file:
        return read_po(file, locale="zh")
