"""The limits of tests, and how far they may go."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from grader.fields import Fields
from grader.models import Limits

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

# Python with NumPy does not start in less.
LEAST_MEMORY = 48 << 20


def read_limits(table: Fields, usual: Limits) -> Limits:
    """The usual limits with those replaced that a table of the TOML names."""
    given: dict[str, Any] = {}
    for name in (field.name for field in fields(Limits)):
        if name in table:
            cap = getattr(HARD_CAPS, name)
            given[name] = table.number(name, most=cap)
            if isinstance(cap, int) and type(given[name]) is not int:
                raise table.wrong(name, given[name], "a whole number", "Leave the fraction out.")
            if name.endswith("memory_bytes") and given[name] < LEAST_MEMORY:
                raise table.wrong(
                    name, given[name], f"≥ {LEAST_MEMORY}: Python and NumPy need as much", "Give more."
                )
    table.close()
    limits = replace(usual, **given)
    if limits.wall_seconds > limits.run_seconds:
        got = f"{limits.wall_seconds:g} s for a test"
        raise table.wrong(
            "wall_seconds", got, f"≤ run_seconds, {limits.run_seconds:g}", "Give the run more time."
        )
    return limits
