"""CSV: students in, scores out, for spreadsheets that mean well and formulas that do not."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from grader.db.tables import Course, Enrolment, Role, User
from grader.services import access, accounts, audit, courses, shelf
from grader.services.matrix import Matrix, matrix
from grader.services.refusals import Refused

STYLES = ("plain", "canvas", "moodle")
MOST_LINES = 5000
_FORMULA = tuple("=+-@\t\r\n＝＋－＠")  # the wide ones count in East Asian versions of Excel
# What the header may say, in the languages that headers are written in.
_COLUMNS = {
    "login": ("login", "username", "user", "email", "登录名", "用户名", "账号"),
    "name": ("name", "student", "full name", "姓名", "名字"),
    "number": ("number", "id", "id number", "sis user id", "学号"),
}


# ---- In ----


@dataclass(frozen=True)
class Imported:
    """Someone who is in the course now, and the way in when the account is new."""

    user: User
    new: bool
    link: str | None  # the token of a one-time link
    token: str | None = None  # of the API


def import_students(
    session: Session,
    actor: User | None,
    course: Course,
    content: bytes,
    link_hours: float,
    *,
    tokens: bool = False,
) -> list[Imported]:
    """Enrol everyone of a CSV; accounts that are not there are made. All of them or, with an error, none.

    Who has an account already gets no link: it would be somebody else's.
    """
    if actor is not None:
        access.require(session, actor, "manage-people", course)
    found = []
    for line, row in _rows(content):
        try:
            user, new = _account(session, actor, row)
            courses.enrol(session, user, course, Role.STUDENT, row.get("number", ""))
        except Refused as refused:
            raise Refused("bad-csv", line=line, why=refused) from None
        found.append(_imported(session, user, new, link_hours, tokens))
    audit.note(session, actor, "students imported", course.slug, course, count=len(found))
    return found


def _account(session: Session, actor: User | None, row: dict[str, str]) -> tuple[User, bool]:
    """Someone's account, and whether it is new.

    A teacher takes nobody in whom no course knows: being the only one who has him, he could make a link to the account.
    """
    user = accounts.find(session, row["login"])
    if user is None:
        return accounts.create(session, row["login"], row["name"]), True
    if actor is not None and not actor.admin and not courses.was_anywhere(session, user):
        raise Refused("in-no-course", login=user.login)
    return user, False


def _imported(session: Session, user: User, new: bool, hours: float, tokens: bool) -> Imported:
    link = accounts.make_link(session, user, hours) if new else None
    token = accounts.make_token(session, user, "import", ["read", "submit"])[1] if new and tokens else None
    return Imported(user, new, link, token)


def _rows(content: bytes) -> Iterator[tuple[int, dict[str, str]]]:
    """The lines of a CSV by our names of columns."""
    reader = csv.reader(io.StringIO(_decoded(content), newline=""))
    try:
        header = [cell.strip().casefold() for cell in next(reader, [])]
        where = {name: _index(header, words) for name, words in _COLUMNS.items()}
        if where["login"] is None or where["name"] is None:
            raise Refused("csv-columns", found=", ".join(header)[:200] or "–")
        for row in reader:
            if reader.line_num > MOST_LINES:
                raise Refused("csv-too-big", most=MOST_LINES)
            if any(cell.strip() for cell in row):
                yield (
                    reader.line_num,
                    {
                        name: row[index] if index < len(row) else ""
                        for name, index in where.items()
                        if index is not None
                    },
                )
    except csv.Error as error:
        raise Refused("bad-csv", line=reader.line_num, why=str(error)) from None


def _index(header: Sequence[str], words: Sequence[str]) -> int | None:
    return next((header.index(word) for word in words if word in header), None)


def _decoded(content: bytes) -> str:
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise Refused("bad-csv", line=1, why="neither UTF-8 nor GB18030")


# ---- Out ----


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
