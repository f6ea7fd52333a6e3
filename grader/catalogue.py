"""The assignments, `grader/assignments/<slug>/`: read and validated."""

from __future__ import annotations

import importlib
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from grader.fields import LANGUAGES, CatalogueError, Fields
from grader.known import read_mistakes, steps
from grader.limits import read_limits
from grader.models import Assignment, Function, Limits, Message, Track
from grader.specs import read_tests

ROOT = Path(__file__).parent / "assignments"
SUFFIXES = {"numpy": ".py", "cython": ".pyx", "cpp": ".cpp"}


class UnknownAssignment(CatalogueError):
    """No assignment has this name; `message` says so in the student's language."""

    def __init__(self, slug: str, known: str) -> None:
        super().__init__("catalogue", "", f"assignment {slug!r}", f"one of: {known}", "Check its spelling.")
        self.message = Message("no-such-assignment", {"slug": slug, "known": known})


def slugs(root: Path = ROOT) -> tuple[str, ...]:
    """The names of all assignments, in the order of the course."""
    return tuple(assignment.slug for assignment in load_all(root))


def load_all(root: Path = ROOT) -> tuple[Assignment, ...]:
    """Every assignment, in the order of the course.

    Raises
    ------
    CatalogueError
        There is none, or something in one of them is not as it must be.
    """
    found = [load(slug, root) for slug in _folders(root)]
    for number, count in Counter(assignment.number for assignment in found).items():
        if count > 1:
            same = ", ".join(assignment.slug for assignment in found if assignment.number == number)
            raise CatalogueError(
                root, "number", f"{number} in {same}", "a number each", "Renumber one of them."
            )
    return tuple(sorted(found, key=lambda assignment: assignment.number))


def load(slug: str, root: Path = ROOT) -> Assignment:
    """One assignment by the name of its folder.

    Raises
    ------
    UnknownAssignment
        There is no such folder.
    CatalogueError
        Something in it is not as it must be.
    """
    if slug in _folders(root):
        return _read(root / slug)
    if slug in (path.name for path in root.iterdir() if path.is_dir()):
        raise CatalogueError(
            f"{slug}/assignment.toml", "", "no such file", "a file", "Describe the tests in it."
        )
    raise UnknownAssignment(slug, ", ".join(_folders(root)))


def _folders(root: Path) -> tuple[str, ...]:
    found = tuple(sorted(path.parent.name for path in root.glob("*/assignment.toml")))
    if not found:
        fix = "Give the folder above it." if (root / "assignment.toml").exists() else "Look for its place."
        raise CatalogueError(root, "", "no assignment", "folders with an assignment.toml in each", fix)
    return found


def _read(folder: Path) -> Assignment:
    if not (folder / "solution.py").is_file():  # before the mistakes, which replace steps of it
        raise CatalogueError(f"{folder.name}/solution.py", "", "no such file", "a file", "Write it.")
    table = Fields(f"{folder.name}/assignment.toml", _parsed(folder / "assignment.toml"))
    usual = read_limits(table.table("limits", {}), Limits())
    functions = {name: _function(inner, name) for name, inner in _tables(table, "functions").items()}
    tracks = {name: _track(inner, name) for name, inner in _tables(table, "tracks").items()}
    assignment = Assignment(
        slug=folder.name,
        number=table.integer("number"),
        version=table.integer("version"),
        title=table.text("title"),
        folder=folder,
        functions=functions,
        tracks=tracks,
        tests=read_tests(table, folder.name, functions, usual),
        mistakes=read_mistakes(folder),
        cheats=tuple(
            sorted(path for name in tracks for path in (folder / "cheats").glob(f"*{SUFFIXES[name]}"))
        ),
    )
    table.close()
    _require_files(assignment)
    _require_functions(assignment)
    return assignment


def _parsed(path: Path) -> Any:
    # tomllib is new in Python 3.11; tomli is the same for 3.10.
    toml = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        return toml.loads(path.read_text(encoding="utf-8"))
    except (toml.TOMLDecodeError, UnicodeDecodeError) as error:
        name = f"{path.parent.name}/{path.name}"
        raise CatalogueError(name, "", error, "TOML in UTF-8", "Mend the place that is named.") from None


def _require_files(assignment: Assignment) -> None:
    needed = [f"statement.{language}.md" for language in LANGUAGES]
    needed += [track.starter for track in assignment.tracks.values()]
    for name in needed:
        if not (assignment.folder / name).is_file():
            raise CatalogueError(f"{assignment.slug}/{name}", "", "no such file", "a file", "Write it.")
        if not _is_text(assignment.folder / name):
            raise CatalogueError(f"{assignment.slug}/{name}", "", "no text", "text in UTF-8", "Write it.")
    for name, found in (("mistakes", assignment.mistakes), ("cheats", assignment.cheats)):
        if not found:
            raise CatalogueError(
                f"{assignment.slug}/{name}", "", "no file of it", "at least one", "Write one."
            )


def _is_text(path: Path) -> bool:
    try:
        return bool(path.read_text(encoding="utf-8").strip())
    except UnicodeDecodeError:
        return False


def _require_functions(assignment: Assignment) -> None:
    there = steps(assignment.folder / "solution.py")
    for name in assignment.functions:
        if name not in there:
            file, fix = f"{assignment.slug}/solution.py", f"Define {name}, or rename [functions.{name}]."
            raise CatalogueError(file, name, "no such function", "every entry point", fix)


def _tables(table: Fields, name: str) -> dict[str, Fields]:
    """The tables under a key, by name: at least one."""
    inner = table.table(name)
    if not inner.names():
        raise table.wrong(name, "an empty table", "at least one entry", f"Add [{name}.…].")
    return {entry: inner.table(entry) for entry in inner.names()}


def _function(table: Fields, name: str) -> Function:
    if not name.isidentifier():
        raise table.wrong("", repr(name), "a name that Python can call", "Rename it.")
    signature = table.strings("parameters")
    parameters = tuple(entry for entry in signature if entry != "*")  # as in Python: after * by keyword only
    results = table.strings("results")
    axes_table = table.table("axes", {})
    axes = {result: axes_table.strings(result) for result in results if result in axes_table}
    axes_table.close()
    table.close()
    positional = signature.index("*") if "*" in signature else len(parameters)
    return Function(name, parameters, results, axes, positional)


def _track(table: Fields, name: str) -> Track:
    if name not in SUFFIXES:
        raise table.wrong("", repr(name), f"one of {', '.join(SUFFIXES)}", "Choose one of these.")
    track = Track(name, table.string("file"), table.string("starter"), table.strings("arguments", []))
    if Path(track.file).name != track.file:
        raise table.wrong("file", repr(track.file), "a name without folders", "Leave the folders out.")
    if not track.file.endswith(SUFFIXES[name]):
        raise table.wrong("file", repr(track.file), f"a name that ends in {SUFFIXES[name]}", "Rename it.")
    if bool(track.arguments) != (name == "cpp"):
        raise table.wrong(
            "arguments", track.arguments, "the C signature for cpp, nothing else", "See Track.arguments."
        )
    for argument in track.arguments:
        if not re.fullmatch(r"[A-Za-z_]\w*(\[-?\d\])?", argument):
            raise table.wrong("arguments", repr(argument), '"name" or "name[axis]"', "See Track.arguments.")
    table.close()
    return track
