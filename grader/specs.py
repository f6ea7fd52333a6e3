"""The tests of an assignment as `assignment.toml` describes them: arguments, checks, bounds, points."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping

import numpy as np

from grader import bounds, inputs
from grader.fields import Fields
from grader.limits import read_limits
from grader.models import ArraySpec, Function, Limits, Test, Value

GROUPS = ("public", "hidden", "stability", "memory", "speed")
CHECKS = ("shape", "values", "unchanged", "memory", "speed")
USUAL_CHECKS = ["shape", "values", "unchanged"]
TOTAL = 100
MOST_ELEMENTS = 1 << 26  # of one array: the grader itself must hold it, and the exact answer in float64
TRIED_OUT = 10_000  # elements: larger arrays take long to make


def read_tests(
    table: Fields, slug: str, functions: Mapping[str, Function], limits: Limits
) -> tuple[Test, ...]:
    """All [[tests]] of an assignment, their points checked to sum to 100."""
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
    return tuple(tests)


def _test(table: Fields, slug: str, functions: Mapping[str, Function], usual: Limits) -> Test:
    id = table.string("id")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", id):
        raise table.wrong("id", repr(id), "lower-case words joined by -", "Rename it.")
    table.where = f"tests.{id}"
    function = functions[
        table.choice("function", functions, next(iter(functions)) if len(functions) == 1 else None)
    ]
    checks = table.strings("checks", USUAL_CHECKS)
    if "values" not in checks and "speed" not in checks:  # the speed check looks at every answer itself
        raise table.wrong(
            "checks", list(checks), "values or speed among them", "Add one: else anything passes."
        )
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
        limits=read_limits(table.table("limits", {}), usual),
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
    if not isinstance(shape, list) or not all(type(size) is int and size >= 1 for size in shape):
        raise spec.wrong("shape", repr(shape), "a list of whole numbers ≥ 1", "Write [rows, columns].")
    if math.prod(shape) > MOST_ELEMENTS:
        raise spec.wrong("shape", shape, f"at most {MOST_ELEMENTS} elements", "Make it smaller.")
    dtype = spec.choice("dtype", inputs.DTYPES, "float32")
    fill = spec.choice("fill", inputs.FILLS, "normal")
    options = {option: spec.take(option) for option in inputs.options_of(fill) if option in spec}
    for option, given in options.items():
        if not _is_option(given):
            raise spec.wrong(option, repr(given), "a finite number, or a list of them", "Change its value.")
    spec.close()
    made = ArraySpec(tuple(shape), dtype, fill, options)
    _try_out(made, spec)
    return made


def _try_out(made: ArraySpec, spec: Fields) -> None:
    """A recipe may not suit the shape: better said here than in the middle of a run."""
    if math.prod(made.shape) > TRIED_OUT:
        return
    try:
        inputs.fill(made, np.random.default_rng(0))
    except Exception as error:
        raise spec.wrong(
            "fill", f"{made.fill!r} with {dict(made.options)}", "a recipe for this shape", f"It says: {error}"
        ) from error


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
    if not _are_ratios(ratios):
        raise table.wrong(
            "ratios", ratios, "[[ratio, share], …] from slow to fast, the last share 1", "Reorder it."
        )
    table.close()
    return {"ratios": tuple((float(ratio), float(share)) for ratio, share in ratios)}


def _are_ratios(ratios: object) -> bool:
    """Whether faster earns more, up to all of the points."""
    if not isinstance(ratios, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in ratios):
        return False
    if not all(type(number) in (int, float) and 0 < number < math.inf for pair in ratios for number in pair):
        return False
    falling, rising = [pair[0] for pair in ratios], [pair[1] for pair in ratios]
    return (
        falling == sorted(set(falling), reverse=True) and rising == sorted(set(rising)) and rising[-1:] == [1]
    )
