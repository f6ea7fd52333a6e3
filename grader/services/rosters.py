"""Lists of students as people write them: CSV with the columns in any order, of several languages and spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from grader.services import logins, numbers
from grader.services.refusals import Refused

MOST_LINES = 5000
# What the header may say, in the languages that headers are written in.
_COLUMNS = {
    "login": ("login", "username", "user", "email", "登录名", "用户名", "账号"),
    "name": ("name", "student", "full name", "姓名", "名字"),
    "number": ("number", "id", "id number", "sis user id", "学号"),
}
# Excel separates by semicolons in half of Europe; what is copied out of it has tabs; and input methods write “，”.
_SEPARATORS = ",;\t，；"


@dataclass(frozen=True)
class Line:
    """One student of a list."""

    at: int
    login: str
    name: str
    number: str

    def says_as(self, other: Line) -> bool:
        """Whether two lines about the same login say the same."""
        return (self.name, numbers.key(self.number)) == (other.name, numbers.key(other.number))


def read(content: bytes) -> list[Line]:
    """The students of a CSV, each once.

    Raises
    ------
    Refused
        It cannot be read, or says two things of one student, or one number of two.
    """
    found: dict[str, Line] = {}
    for line in _lines(_decoded(content)):
        first = found.setdefault(logins.plain(line.login), line)
        if not first.says_as(line):
            raise Refused("csv-twice", first=first.at, second=line.at, login=line.login[:70])
    _refuse_shared_numbers(found.values())
    return list(found.values())


@contextmanager
def told_of(line: int) -> Iterator[None]:
    """Say of which line it is that something is refused."""
    try:
        yield
    except Refused as refused:
        raise Refused("bad-csv", line=line, why=refused) from None


def _refuse_shared_numbers(lines: Iterable[Line]) -> None:
    seen: dict[str, Line] = {}
    for line in lines:
        first = seen.setdefault(numbers.key(line.number), line) if line.number else line
        if first is not line:
            raise Refused("csv-number-twice", first=first.at, second=line.at, number=line.number)


def _lines(text: str) -> Iterator[Line]:
    """The lines of a CSV by our names of columns."""
    reader, header, where = _opened(text)
    try:
        for row in reader:
            if reader.line_num > MOST_LINES:
                raise Refused("csv-too-big", most=MOST_LINES)
            if any(cell.strip() for cell in row):
                with told_of(reader.line_num):
                    yield _line(reader.line_num, row, header, where)
    except csv.Error as error:
        raise Refused("bad-csv", line=reader.line_num, why=str(error)) from None


def _line(at: int, row: Sequence[str], header: Sequence[str], where: dict[str, int | None]) -> Line:
    if any(
        cell.strip() for cell in row[len(header) :]
    ):  # whatever stands behind would be in the wrong column
        raise Refused("csv-cells", got=len(row), columns=len(header))
    cells = {
        name: " ".join(row[index].split()) if index is not None and index < len(row) else ""
        for name, index in where.items()
    }
    return Line(at, cells["login"], cells["name"], numbers.clean(cells["number"]))


def _opened(text: str) -> tuple[Any, list[str], dict[str, int | None]]:
    """A reader behind the header, the header, and which column is where: by the separator that makes sense of it."""
    for separator in _SEPARATORS:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        try:
            header = [cell.strip().casefold() for cell in next(reader, [])]
        except csv.Error as error:
            raise Refused("bad-csv", line=1, why=str(error)) from None
        where = {name: _index(header, words) for name, words in _COLUMNS.items()}
        if where["login"] is not None and where["name"] is not None:
            return reader, header, where
    raise Refused("csv-columns", found=text.partition("\n")[0].strip()[:200] or "–")


def _index(header: Sequence[str], words: Sequence[str]) -> int | None:
    return next((header.index(word) for word in words if word in header), None)


def _decoded(content: bytes) -> str:
    """The text of a file: UTF-8, or what Chinese versions of Excel write. UTF-16 and workbooks have NUL in them."""
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise Refused("csv-encoding")
