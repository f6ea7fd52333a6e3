"""The architecture as a test: who may know whom, and what lives in one place only."""

import ast
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CSRC, PYATTN = ROOT / "csrc", ROOT / "pyattn"

# Lowest first; a file may include what stands on a lower step, and the header of its own name.
CPP_STEPS = [
    {"types"},
    {"kernels/kernels"},
    {"dispatch", "parallel", "scratch", "visibility", "plan"},
    {"attention", "layer_norm", "linear", "reference", "rows"},
]
# Likewise; modules of one step may import each other.
PYTHON_STEPS = [
    {"_core", "_version", "extras", "whole"},
    {"arrays", "runtime", "tensors"},
    {
        "functional",
        "rowwise",
        "states",
        "scoring",
        "masks",
        "positions",
        "kv_cache",
        "search",
        "terminal",
        "pictures",
    },
    {"layers"},
    {"seq2seq"},
    {"interop", "models"},
    {"demo", "__main__"},
]
API_STEP = 2  # where `import pyattn` itself stands: a module below cannot need it


def sources(folder: Path, *endings: str) -> list[Path]:
    return sorted(path for ending in endings for path in folder.rglob(f"*{ending}"))


def named(paths, under=ROOT):
    return pytest.mark.parametrize("path", paths, ids=lambda path: str(path.relative_to(under)))


def step_of(name: str, steps: list[set[str]]) -> int:
    for step, names in enumerate(steps):
        if name in names:
            return step
    raise AssertionError(f"{name} is new: say in {Path(__file__).name} on which step it stands")


# ---- C++ ----

CPP = sources(CSRC, ".h", ".cpp")
KERNELS = [path for path in CPP if path.parent == CSRC / "kernels"]
CORE = [path for path in CPP if path.parent == CSRC]


def includes(path: Path, pattern: str) -> list[str]:
    return re.findall(rf"^\s*#\s*include\s+{pattern}", path.read_text(encoding="utf-8"), re.MULTILINE)


def included(path: Path) -> set[Path]:
    """The files of ours that a file includes."""
    found = set()
    for name in includes(path, '"([^"]+)"'):
        nearest = [folder / name for folder in (path.parent, CSRC) if (folder / name).exists()]
        assert nearest, f"{path.name} includes {name}, which is neither beside it nor in csrc"
        found.add(nearest[0])
    return found


@named(CORE)
def test_the_core_includes_downwards_only(path):
    own = path.with_suffix("").relative_to(CSRC).as_posix()
    for other in included(path):
        name = other.with_suffix("").relative_to(CSRC).as_posix()
        assert name == own or step_of(name, CPP_STEPS) < step_of(own, CPP_STEPS), f"{own} includes {name}"


@named(KERNELS)
def test_kernels_know_each_other_and_the_plain_structs_only(path):
    assert all(other.parent == CSRC / "kernels" or other == CSRC / "types.h" for other in included(path))


@named(KERNELS)
def test_kernels_use_no_library(path):
    """An inline function of one would be a symbol that the linker may share between instruction sets."""
    assert set(includes(path, "<([^>]+)>")) <= {"cstdint", "cstddef", "immintrin.h", "arm_neon.h"}


def test_the_plain_structs_include_nothing_of_ours():
    assert not included(CSRC / "types.h")


@named([path for path in CPP if path not in KERNELS])
def test_the_door_to_the_kernels_is_the_only_way_in(path):
    inside = {other for other in included(path) if other.parent == CSRC / "kernels"}
    assert inside <= {CSRC / "kernels/kernels.h"}


@named([path for path in CPP if path.parent == CSRC / "bindings"])
def test_nothing_but_bindings_is_included_with_a_folder_but_downwards(path):
    for other in included(path):
        assert other.parent in (CSRC, CSRC / "bindings")


def code_of(path: Path) -> str:
    """Without comments, which may speak of anything."""
    return re.sub(r"//.*|/\*.*?\*/", "", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("words", "homes"),
    [
        (r"#pragma omp|\bomp_|<omp\.h>", ["parallel.cpp", "parallel.h"]),
        (r"std::thread|std::jthread|<thread>|\bpthread_", ["parallel.cpp", "parallel.h"]),
        (r"pybind11|Python\.h|\bPy[A-Z]\w+\(", ["bindings"]),
        (r"vector_size|__builtin_shuffle|__builtin_convertvector", ["kernels"]),
        (r"immintrin|arm_neon|\b_mm\d*_|\bv(ld|st)\d?q?_", ["kernels/simd.h", "kernels/amx.h"]),
        (r"__asm__", ["kernels/simd.h", "kernels/amx.h"]),
        (
            r"__x86_64__|__SSE|__AVX|__AMX|__aarch64__|__F16C__|__FMA__",
            ["kernels/simd.h", "kernels/amx.h", "dispatch.cpp"],
        ),
        (r"__builtin_cpu_supports|getauxval|arch_prctl", ["dispatch.cpp"]),
    ],
    ids=[
        "OpenMP",
        "threads",
        "Python",
        "vectors",
        "intrinsics",
        "assembly",
        "instruction sets",
        "processor probe",
    ],
)
def test_only_here(words, homes):
    places = tuple(CSRC / home for home in homes)
    found = {path for path in CPP if re.search(words, code_of(path))}
    assert found, "a rule about nothing: mend or remove it"
    strays = {path for path in found if not any(path == home or home in path.parents for home in places)}
    assert not strays


# ---- Python ----

PYTHON = sources(PYATTN, ".py")


def module_of(path: Path) -> str:
    """The step's name for a file: that of its first part below pyattn."""
    parts = path.relative_to(PYATTN).with_suffix("").parts
    return parts[0]


def imports_of(node: ast.AST) -> list[str]:
    """Absolute names that a statement imports."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute here"
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def parts_of_pyattn(tree: ast.AST):
    """What a module imports of pyattn anywhere: a part's name, or "" for the package itself."""
    known = {module_of(path) for path in PYTHON} | {"_core"}
    for node in ast.walk(tree):
        for name in imports_of(node):
            first, *rest = name.split(".")
            if first == "pyattn":
                yield rest[0] if rest and rest[0] in known else ""


@named(PYTHON)
def test_python_imports_downwards_only(path):
    own = module_of(path)
    step = API_STEP if own == "__init__" else step_of(own, PYTHON_STEPS)
    for part in parts_of_pyattn(ast.parse(path.read_text(encoding="utf-8"))):
        if part == "":
            assert step > API_STEP, f"{own} imports the package, which imports it"
        else:
            assert step_of(part, PYTHON_STEPS) <= step, f"{own} imports {part}"


@named(PYTHON)
def test_python_imports_other_packages_inside_functions_only(path):
    """numpy is all that pyattn needs; a module of interop is imported by those who have its framework."""
    if module_of(path) == "interop":
        pytest.skip("speaks to one framework")
    body = ast.parse(path.read_text(encoding="utf-8")).body
    roots = {name.split(".")[0] for node in body for name in imports_of(node)}
    assert roots <= sys.stdlib_module_names | {"numpy", "pyattn", "__future__"}


@named(
    [path for path in PYTHON if module_of(path) != "demo"]
)  # which shows the grader as well, from above both
def test_pyattn_knows_nothing_of_the_web(path):
    text = path.read_text(encoding="utf-8")
    web = r"^\s*(import|from) (flask|click|sqlalchemy|celery|gunicorn|grader)\b"
    assert not re.search(web, text, re.MULTILINE | re.IGNORECASE)
