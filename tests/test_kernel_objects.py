"""Nothing of one instruction set may reach another: what the compiled kernels show to the linker.

An inline function compiled with AVX-512 and exported as a weak symbol may be linked into baseline code, which then dies
on an older processor. So each object exports its table and nothing else.
"""

import platform
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import pyattn

ROOT = Path(__file__).resolve().parents[1]
KERNELS = ROOT / "cmake/kernels.cmake"
ISAS = re.search(r"set\(PYATTN_ISAS (baseline [^)]*)\)", KERNELS.read_text(encoding="utf-8"))[1].split()

# What C promises every program; none of it can be an instruction set's own.
LIBC = {
    "memcpy",
    "memset",
    "memmove",
    "memcmp",
    "erfc",
    "log",
    "logf",
    "exp",
    "expf",
    "tanh",
    "tanhf",
    "abort",
}

pytestmark = [
    pytest.mark.skipif(platform.system() != "Linux", reason="the symbols are read as those of ELF objects"),
    pytest.mark.skipif(not shutil.which("nm"), reason="nm (binutils) is not installed"),
]


def newest_object(isa: str) -> Path | None:
    """Of the builds that pip or CMake left behind, one that is no older than its sources."""
    found = ROOT.glob(f"build/**/pyattn_kernels_{isa}.dir/**/kernels.cpp.o")
    found = (path for path in found if "sanitize" not in path.parts)  # a sanitizer adds symbols of its own
    newest = max(found, key=lambda path: path.stat().st_mtime, default=None)
    sources = [KERNELS, ROOT / "csrc/types.h", *(ROOT / "csrc/kernels").iterdir()]
    if newest and newest.stat().st_mtime >= max(path.stat().st_mtime for path in sources):
        return newest
    return None


def flags_of(isa: str) -> list[str]:
    """As cmake/kernels.cmake sets them for GCC, but for the optimisation, which takes its time and renames nothing."""
    text = re.sub(r"#.*", "", KERNELS.read_text(encoding="utf-8"))
    values = {}
    for name, words in re.findall(r"(?:set|list\(APPEND)\s*\(?(PYATTN\w+)\s+([^)]*)\)", text):
        values[name] = values.get(name, []) + words.split()

    def expand(name):
        for word in values.get(name, []):
            inner = re.fullmatch(r"\$\{(\w+)\}", word)
            yield from expand(inner[1]) if inner else [word]

    return [
        flag for flag in (*expand("PYATTN_KERNEL_FLAGS"), *expand(f"PYATTN_FLAGS_{isa}")) if flag != "-O3"
    ]


def compiled(isa: str, folder: Path) -> Path:
    compiler = shutil.which("g++")
    if not compiler:
        pytest.skip("neither a build folder nor g++ is here")
    target = folder / "kernels.o"
    command = [compiler, "-std=gnu++20", "-O0", "-fPIC", "-fvisibility=hidden", f"-DPYATTN_ISA={isa}", "-w"]
    command += [*flags_of(isa), "-I", str(ROOT / "csrc"), "-c", str(ROOT / "csrc/kernels/kernels.cpp")]
    subprocess.run([*command, "-o", str(target)], check=True)
    return target


@pytest.fixture(scope="module", params=ISAS)
def symbols(request, tmp_path_factory):
    """(instruction set, [(kind, name)]) as nm tells them."""
    isa = request.param
    path = newest_object(isa) or compiled(isa, tmp_path_factory.mktemp(isa))
    listing = subprocess.run(
        ["nm", "--format=posix", str(path)], capture_output=True, text=True, check=True
    ).stdout
    return isa, [(line.split()[1], line.split()[0]) for line in listing.splitlines()]


pytestmark.append(
    pytest.mark.skipif(platform.machine() != "x86_64", reason="cmake/kernels.cmake lists x86-64's")
)


def test_an_object_exports_its_table_and_nothing_else(symbols):
    isa, names = symbols
    exported = [(kind, name) for kind, name in names if kind.isupper() and kind != "U"]
    assert [name for _, name in exported] == [f"pyattn_kernels_{isa}"]
    assert exported[0][0] in "RD", "the table is data"


def test_no_symbol_is_weak_or_shared(symbols):
    _, names = symbols
    assert not [name for kind, name in names if kind in "wWvVuC"]


def test_nothing_is_called_but_the_c_library(symbols):
    _, names = symbols
    assert {name for kind, name in names if kind == "U"} <= LIBC | {"_GLOBAL_OFFSET_TABLE_"}


def test_there_is_a_kernel_for_every_instruction_set_that_runs_here():
    assert set(pyattn.available_isas()) <= set(ISAS)
