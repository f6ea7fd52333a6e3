"""The assignments: `grader/assignments/<slug>/` read and validated. Errors name file and key, what came and the way out."""

from __future__ import annotations

import importlib
import math
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from grader import bounds, inputs
from grader.fields import LANGUAGES, CatalogueError, Fields
from grader.known import read_mistakes
from grader.models import ArraySpec, Assignment, Function, Limits, Test, Track, Value

ROOT = Path(__file__).parent / "assignments"
GROUPS = ("public", "hidden", "stability", "memory", "speed")
CHECKS = ("shape", "values", "unchanged", "memory", "speed")
USUAL_CHECKS = ["shape", "values", "unchanged"]
SUFFIXES = {"numpy": ".py", "cython": ".pyx", "cpp": ".cpp"}
TOTAL = 100

# What this server gives at most, whatever an assignment asks for.
HARD_CAPS = Limits(
    wall_seconds=60.0,
    cpu_seconds=120.0,
    memory_bytes=4 << 30,
    processes=256,
    printed_bytes=1 << 20,
    file_bytes=1 << 30,
    result_bytes=1 << 30,
    compile_seconds=300.0,
    compile_memory_bytes=8 << 30,
    run_seconds=600.0,
)


def slugs(root: Path = ROOT) -> tuple[str, ...]:
    """The names of all assignments, in the order of the course."""
    return tuple(assignment.slug for assignment in load_all(root))


def load_all(root: Path = ROOT) -> tuple[Assignment, ...]:
    """Every assignment, in the order of the course."""
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
    CatalogueError
        There is no such folder, or something in it is not as it must be.
    """
    if slug not in _folders(root):
        known = ", ".join(_folders(root)) or "none"
        raise CatalogueError(root, "", f"assignment {slug!r}", f"one of: {known}", "Check its spelling.")
    return _read(root / slug)


def _folders(root: Path) -> tuple[str, ...]:
    return tuple(sorted(path.parent.name for path in root.glob("*/assignment.toml")))


def _read(folder: Path) -> Assignment:
    table = Fields(f"{folder.name}/assignment.toml", _parsed(folder / "assignment.toml"))
    usual = _limits(table.table("limits", {}), Limits())
    functions = {name: _function(*pair) for name, *pair in _tables(table, "functions")}
    tracks = {name: _track(*pair) for name, *pair in _tables(table, "tracks")}
    assignment = Assignment(
        slug=folder.name,
        number=table.integer("number"),
        version=table.integer("version"),
        title=table.text("title"),
        folder=folder,
        functions=functions,
        tracks=tracks,
        tests=tuple(_tests(table, folder.name, functions, usual)),
        mistakes=read_mistakes(folder),
        cheats=tuple(
            sorted(path for name in tracks for path in (folder / "cheats").glob(f"*{SUFFIXES[name]}"))
        ),
    )
    table.close()
    _require_files(assignment)
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
    needed = ["solution.py", *(f"statement.{language}.md" for language in LANGUAGES)]
    needed += [track.starter for track in assignment.tracks.values()]
    for name in needed:
        if not (assignment.folder / name).is_file():
            raise CatalogueError(f"{assignment.slug}/{name}", "", "no such file", "a file", "Write it.")
    for name, found in (("mistakes", assignment.mistakes), ("cheats", assignment.cheats)):
        if not found:
            raise CatalogueError(
                f"{assignment.slug}/{name}", "", "no file of it", "at least one", "Write one."
            )


def _tables(table: Fields, name: str) -> Iterable[tuple[str, Fields, str]]:
    """The tables under a key, each with its name: at least one."""
    inner = table.table(name)
    if not inner.names():
        raise table.wrong(name, "an empty table", "at least one entry", f"Add [{name}.…].")
    return [(entry, inner.table(entry), entry) for entry in inner.names()]


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


def _limits(table: Fields, usual: Limits) -> Limits:
    given: dict[str, Any] = {}
    for name in (field.name for field in fields(Limits)):
        if name in table:
            cap = getattr(HARD_CAPS, name)
            given[name] = table.number(name, most=cap)
            if isinstance(cap, int) and type(given[name]) is not int:
                raise table.wrong(name, given[name], "a whole number", "Leave the fraction out.")
    table.close()
    return replace(usual, **given)


def _tests(table: Fields, slug: str, functions: Mapping[str, Function], limits: Limits) -> Iterable[Test]:
    entries = table.take("tests")
    if not isinstance(entries, list) or not entries:
        raise table.wrong("tests", repr(entries), "at least one [[tests]]", "Add one.")
    tests = [
        _test(Fields(table.file, e, f"tests[{i}]"), slug, functions, limits) for i, e in enumerate(entries)
    ]
    for id, count in Counter(test.id for test in tests).items():
        if count > 1:
            raise table.wrong("tests", f"{count} tests with id {id!r}", "an id each", "Rename all but one.")
    points = math.fsum(test.points for test in tests)
    if abs(points - TOTAL) > 1e-9:
        raise table.wrong("tests", f"{points:g} points in all", f"{TOTAL}", "Share them out again.")
    return tests


def _test(table: Fields, slug: str, functions: Mapping[str, Function], usual: Limits) -> Test:
    id = table.string("id")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", id):
        raise table.wrong("id", repr(id), "lower-case words joined by -", "Rename it.")
    table.where = f"tests.{id}"
    function = functions[
        table.choice("function", functions, next(iter(functions)) if len(functions) == 1 else None)
    ]
    checks = table.strings("checks", USUAL_CHECKS)
    for check in checks:
        if check not in CHECKS:
            raise table.wrong("checks", repr(check), f"some of {', '.join(CHECKS)}", "Choose among these.")
    test = Test(
        id=id,
        title=table.text("title"),
        group=table.choice("group", GROUPS),
        points=table.number("points", most=TOTAL),
        function=function.name,
        arguments=_arguments(table.table("arguments"), function),
        checks=checks,
        bound=table.choice("bound", bounds.BOUNDS),
        limits=_limits(table.table("limits", {}), usual),
        options=_options(table.table("options", {}), checks),
        assignment=slug,
    )
    table.close()
    return test


def _arguments(table: Fields, function: Function) -> Mapping[str, ArraySpec | Value]:
    for name in table.names():
        if name not in function.parameters:
            known = ", ".join(function.parameters)
            raise table.wrong(
                name, "this name", f"a parameter of {function.name}: {known}", "Rename or remove it."
            )
    return {name: _argument(table, name) for name in function.parameters if name in table}


def _argument(table: Fields, name: str) -> ArraySpec | Value:
    value = table.take(name)
    if isinstance(value, bool | int | float | str):
        return value
    spec = Fields(table.file, value, table.key(name))
    shape = spec.take("shape")
    if not isinstance(shape, list) or not all(type(size) is int and size >= 0 for size in shape):
        raise spec.wrong("shape", repr(shape), "a list of whole numbers ≥ 0", "Write [rows, columns].")
    dtype = spec.choice("dtype", inputs.DTYPES, "float32")
    fill = spec.choice("fill", inputs.FILLS, "normal")
    options = {option: spec.take(option) for option in inputs.options_of(fill) if option in spec}
    for option, given in options.items():
        if not _is_option(given):
            raise spec.wrong(option, repr(given), "a finite number, or a list of them", "Change its value.")
    spec.close()
    return ArraySpec(tuple(shape), dtype, fill, options)


def _is_option(value: object) -> bool:
    if isinstance(value, list):
        return all(isinstance(entry, bool | int | float) for entry in value)
    return type(value) in (int, float) and math.isfinite(value)  # type: ignore[arg-type]


def _options(table: Fields, checks: tuple[str, ...]) -> Mapping[str, object]:
    """What the checks of a test want to know: for speed, `ratios` = [[ratio to pyattn, share of the points], …]."""
    if "speed" not in checks:
        table.close()
        return {}
    ratios = table.take("ratios")
    pairs = [(pair[0], pair[1]) for pair in ratios if isinstance(pair, list) and len(pair) == 2]
    shares = [share for _, share in pairs]
    if (
        len(pairs) != len(ratios)
        or sorted(pairs, reverse=True) != pairs
        or shares != sorted(shares)
        or shares[-1:] != [1]
    ):
        raise table.wrong(
            "ratios", ratios, "[[ratio, share], …] from slow to fast, the last share 1", "Reorder it."
        )
    table.close()
    return {"ratios": tuple(pairs)}
