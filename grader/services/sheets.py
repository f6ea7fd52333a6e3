"""Scores out as CSV, for spreadsheets that mean well and formulas that do not; `rosters` reads students in."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterator

from sqlalchemy.orm import Session

from grader.db.tables import Course, Enrolment, User
from grader.services import access, audit, courses, shelf
from grader.services.matrix import Matrix, matrix
from grader.services.refusals import Refused

STYLES = ("plain", "canvas", "moodle")
_FORMULA = tuple("=+-@\t\r\n＝＋－＠")  # the wide ones count in East Asian versions of Excel


def scores(session: Session, actor: User | None, course: Course, style: str, lang: str) -> bytes:
    """The class's scores in a file for a spreadsheet, Canvas or Moodle: UTF-8 with BOM, so that Excel reads Chinese.

    `actor` None: at the server's command line.
    """
    if actor is not None:
        access.require(session, actor, "export", course)
    if style not in STYLES:
        raise Refused("bad-choice", got=style[:20], known=", ".join(STYLES))
    found = matrix(session, course, courses.tasks(session, course))
    titles = [shelf.title(task.slug, lang) for task in found.tasks]
    rows = {"plain": _plain, "canvas": _canvas, "moodle": _moodle}[style](found, titles)
    audit.note(session, actor, "scores exported", course.slug, course, style=style)
    return as_csv(rows)


def as_csv(rows: Iterator[list[str]]) -> bytes:
    """Rows as a file; no cell can be a formula."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows([harmless(cell) for cell in row] for row in rows)
    return codecs.BOM_UTF8 + text.getvalue().encode()


def harmless(cell: str) -> str:
    """A cell that no spreadsheet runs: what looks like the beginning of a formula gets a quote before it."""
    return f"'{cell}" if cell.lstrip(" ").startswith(_FORMULA) else cell


def _plain(found: Matrix, titles: list[str]) -> Iterator[list[str]]:
    yield ["number", "login", "name", *titles, "total"]
    for one in found.students:
        yield [*_who(one), *_cells(found, one), f"{found.total(one):.2f}"]


def _canvas(found: Matrix, titles: list[str]) -> Iterator[list[str]]:
    yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *titles]
    yield ["    Points Possible", "", "", "", "", *("100" for _ in titles)]
    for one in found.students:
        number, login, name = _who(one)
        yield [name, "", number, login, "", *_cells(found, one)]


def _moodle(found: Matrix, titles: list[str]) -> Iterator[list[str]]:
    yield ["Username", "ID number", "Full name", *titles]
    for one in found.students:
        number, login, name = _who(one)
        yield [login, number, name, *_cells(found, one)]


def _who(one: Enrolment) -> list[str]:
    return [one.number, one.user.login, one.user.name]


def _cells(found: Matrix, one: Enrolment) -> list[str]:
    return ["" if cell.score is None else f"{cell.score:.2f}" for cell in found.row(one)]
