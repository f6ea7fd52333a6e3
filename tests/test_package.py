"""What is handed out: the sdist, the wheel that is built from it, and what comes with an import."""

import ast
import importlib.metadata
import os
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

import pyattn
from pyattn import _core

pytestmark = pytest.mark.alone  # compiles on all cores
ROOT = Path(__file__).parents[1]
FRAMEWORKS = ["torch", "jax", "tokenizers", "safetensors", "ml_dtypes", "matplotlib", "onnx", "cython"]


def python(*arguments, cwd, **environment):
    """Run this Python and return what it printed."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=cwd, capture_output=True, text=True, env=os.environ | environment
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def build(folder):
    """The sdist and, from it, the wheel, as anyone would make them."""
    pytest.importorskip("build", reason="builds with the package build, of the extra [test]")
    command = [sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True)
    log = done.stdout + done.stderr
    if "Could not find a version that satisfies the requirement" in log:
        pytest.skip("the package index, which has the build back-end, cannot be reached")
    assert done.returncode == 0, log


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    """A folder with both; PYATTN_DIST names one where they have just been built."""
    folder = Path(os.environ.get("PYATTN_DIST") or tmp_path_factory.mktemp("dist"))
    if not list(folder.glob("*.whl")):
        build(folder)
    return folder


@pytest.fixture
def sdist(dist):
    """The names in the sdist, without its own folder."""
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


@pytest.fixture
def wheel(dist):
    (path,) = dist.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        yield archive


def tracked():
    """What git holds; skips where this is no checkout."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is not a git checkout")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in listed.stdout.splitlines() if (ROOT / name).exists()}


def test_the_sdist_holds_everything_but_the_scripts_of_ci(sdist):
    assert sdist - {"PKG-INFO"} == {name for name in tracked() if not name.startswith((".ci/", ".github/"))}


def test_the_wheel_holds_the_package_and_nothing_else(wheel):
    info = f"pyattn-{pyattn.__version__}.dist-info"
    assert {name.split("/")[0] for name in wheel.namelist()} == {"pyattn", "grader", info}
    source = "pyattn/cython_api.pyx"  # compiled; a starter of the grader is handed out as it is
    expected = {name for name in tracked() if name.startswith(("pyattn/", "grader/")) and name != source}
    inside = {
        name for name in wheel.namelist() if name.startswith(("pyattn/", "grader/")) and name[-3:] != ".so"
    }
    assert inside == expected


def test_the_wheel_is_typed_licensed_and_compiled(wheel):
    names = wheel.namelist()
    assert {"pyattn/py.typed", "pyattn/cython_api.pxd"} <= set(names)
    assert any(name.startswith("pyattn/_core.") and name.endswith(".so") for name in names)
    (licence,) = (name for name in names if name.endswith("licenses/LICENSE"))
    assert wheel.read(licence) == (ROOT / "LICENSE").read_bytes()


def test_the_wheel_needs_numpy_and_nothing_else(wheel):
    (path,) = (name for name in wheel.namelist() if name.endswith("METADATA"))
    metadata = message_from_bytes(wheel.read(path))
    needed = [line for line in metadata.get_all("Requires-Dist") if "extra ==" not in line]
    assert [line.partition(">")[0] for line in needed] == ["numpy"]
    assert metadata["Description-Content-Type"] == "text/markdown"


def test_the_extra_test_brings_no_peer(wheel):
    (path,) = (name for name in wheel.namelist() if name.endswith("METADATA"))
    lines = message_from_bytes(wheel.read(path)).get_all("Requires-Dist")
    brought = [line for line in lines if line.replace('"', "'").endswith("extra == 'test'")]
    assert len(brought) > 3
    assert not [line for line in brought if line.startswith(("torch", "jax", "onnxruntime", "openvino"))]


def test_the_version_agrees_everywhere(dist):
    assert pyattn.__version__ == _core.__version__ == importlib.metadata.version("pyattn")
    stems = {path.name.split("-")[1].removesuffix(".tar.gz") for path in dist.iterdir() if path.is_file()}
    assert stems == {pyattn.__version__}
    released = [line for line in (ROOT / "CHANGELOG.md").read_text().splitlines() if line.startswith("## ")]
    assert released[:2] == ["## Unreleased", f"## {pyattn.__version__}"]


def test_an_import_brings_no_framework(tmp_path):
    loaded = python("-c", "import sys, pyattn; print(*sys.modules)", cwd=tmp_path).split()
    assert "pyattn._core" in loaded
    assert not set(FRAMEWORKS) & set(loaded)


def test_an_import_takes_less_than_numpy_s(tmp_path):
    """By the modules it adds: a figure in seconds would measure the machine."""
    loaded = python("-c", "import sys, numpy; print(*sys.modules)", cwd=tmp_path).split()
    ours = python("-c", "import sys, pyattn; print(*sys.modules)", cwd=tmp_path).split()
    assert len(set(ours) - set(loaded)) < 40


def test_it_can_be_started_from_the_folder_of_its_sources():
    """Python puts that folder first on its path, and there the compiled half is missing."""
    shown = python("-m", "pyattn", cwd=ROOT)
    assert shown.startswith("pyattn ") and "WRONG" not in shown
    where = python(
        "-c", "import pyattn, sys; print(pyattn._core.__file__, *pyattn.__path__)", cwd=ROOT
    ).split()
    assert Path(where[0]).parent == Path(where[1])


def test_the_stub_names_what_the_core_has():
    stub = ast.parse((Path(pyattn.__file__).parent / "_core.pyi").read_text())
    functions = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
    values = {node.target.id for node in stub.body if isinstance(node, ast.AnnAssign)}
    assert functions | values == {"__version__", *(name for name in dir(_core) if not name.startswith("__"))}
