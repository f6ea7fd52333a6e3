"""The known mistakes of an assignment: `mistakes/<name>.py`, its texts read without running it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grader.fields import CatalogueError, Fields
from grader.models import Mistake

PRECISIONS = ("float16", "float32")


def read_mistakes(folder: Path) -> tuple[Mistake, ...]:
    """Every mistake of an assignment's folder, by name."""
    known = steps(folder / "solution.py")
    mistakes = tuple(_read(path, known) for path in sorted((folder / "mistakes").glob("*.py")))
    for what, names in (
        ("CODE", [mistake.code for mistake in mistakes]),
        ("FIT", [name for mistake in mistakes for name in mistake.fit]),
    ):
        for name, count in Counter(names).items():
            if count > 1:
                raise CatalogueError(
                    f"{folder.name}/mistakes", what, f"{count} times {name!r}", "once", "Rename one."
                )
    return mistakes


def steps(solution: Path) -> set[str]:
    """The functions of a solution, without running it."""
    return set(_functions(_parsed(solution)))


def _read(path: Path, known: set[str]) -> Mistake:
    tree = _parsed(path)
    table = Fields(_short(path), _constants(tree, path))
    functions = tuple(name for name in _functions(tree) if name in known)
    if not functions:
        names = ", ".join(sorted(known))
        raise table.wrong(
            "", "no step of the solution", f"at least one of: {names}", "Define the wrong step."
        )
    precision = table.choice("PRECISION", PRECISIONS, None) if "PRECISION" in table else ""
    mistake = Mistake(
        code=table.string("CODE"),
        title=table.text("TITLE"),
        hint=table.text("HINT"),
        source=path,
        replaces=functions,
        fit=_fit(table.table("FIT", {})),
        precision=precision,
    )
    if mistake.code != path.stem:
        raise table.wrong(
            "CODE", repr(mistake.code), f"the file's name, {path.stem!r}", "Rename one of them."
        )
    table.close()
    return mistake


def _fit(table: Fields) -> Mapping[str, tuple[float, float]]:
    fit = {}
    for name in table.names():
        interval = table.take(name)
        if not (isinstance(interval, tuple) and len(interval) == 2 and _is_interval(*interval)):
            raise table.wrong(
                name, repr(interval), "(low, high) with 0 < low < high, or both below 0", "Change it."
            )
        fit[name] = (float(interval[0]), float(interval[1]))
    return fit


def _is_interval(low: Any, high: Any) -> bool:
    numbers = all(type(bound) in (int, float) for bound in (low, high))
    return numbers and low < high and low * high > 0


def _parsed(path: Path) -> ast.Module:
    try:
        return ast.parse(path.read_text(encoding="utf-8"), str(path))
    except (SyntaxError, UnicodeDecodeError) as error:
        raise CatalogueError(
            _short(path), "", error, "Python in UTF-8", "Mend the place that is named."
        ) from None


def _functions(tree: ast.Module) -> list[str]:
    return [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]


def _constants(tree: ast.Module, path: Path) -> dict[str, Any]:
    """The assignments in capitals, whose values must be plain data."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            try:
                found[name] = ast.literal_eval(node.value)
            except ValueError:
                raise CatalogueError(
                    _short(path), name, "an expression", "plain data", "Write the value out."
                ) from None
    return found


def _short(path: Path) -> str:
    return (
        f"{path.parents[1].name}/{path.parent.name}/{path.name}"
        if path.parent.name == "mistakes"
        else f"{path.parent.name}/{path.name}"
    )
