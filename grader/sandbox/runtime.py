"""What a submission finds inside: the standard library, NumPy, the runner; compilers only where it is built.

Everything is bound at the path it has outside, except packages (`/packages`), the runner (`/runner`) and the
submission (`/submission`): a Python moved elsewhere may load another libpython or another standard library.
"""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy

PACKAGES, RUNNER, SUBMISSION = Path("/packages"), Path("/runner"), Path("/submission")
_INSIDE = Path(__file__).parent / "inside"


@dataclass(frozen=True)
class Runtime:
    """Read-only binds (source → path inside), links of the root folder, folders to hide under an empty one."""

    binds: tuple[tuple[Path, Path], ...]
    links: tuple[tuple[str, str], ...]
    hidden: tuple[Path, ...]


def python() -> Path:
    """The interpreter itself, behind all virtual environments."""
    return Path(os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable))


@functools.cache
def runtime(compilers: bool = False) -> Runtime:
    """All that is bound for a run, or for a build."""
    sources = dict(_same_path(compilers))
    hidden = {folder for source in sources for folder in (*_package_folders(source), *_of_answers(source))}
    sources |= packages(compilers)
    sources[_INSIDE] = RUNNER / "inside"
    return Runtime(tuple(sources.items()), tuple(_links()), tuple(sorted(hidden)))


def packages(compilers: bool = False) -> dict[Path, Path]:
    """The only packages there are."""
    home = Path(numpy.__file__).parent
    found = [home, home.parent / "numpy.libs"]
    if compilers:
        found += _cython()
    return {source: PACKAGES / source.name for source in found if source.exists()}


def _cython() -> list[Path]:
    try:
        import Cython
    except ImportError:
        return []
    home = Path(Cython.__file__).parent
    return [home, home.parent / "cython.py"]


def _same_path(compilers: bool) -> Iterator[tuple[Path, Path]]:
    for path in sorted({*_system(compilers), *_interpreter(compilers)}):
        yield path, path


def _system(compilers: bool) -> Iterator[Path]:
    """Shared libraries; the whole of /usr where compilers must run."""
    multiarch = sysconfig.get_config_var("MULTIARCH") or "none"
    folders = ["/lib64", f"/lib/{multiarch}", "/usr/lib64", f"/usr/lib/{multiarch}"]
    if compilers:
        folders = ["/lib64", "/lib", "/usr", "/bin"]
    for name in (*folders, "/etc/ld.so.cache", "/etc/alternatives"):
        path = Path(name)
        if path.exists() and not path.is_symlink() and not path.parent.is_symlink():
            yield path


def _interpreter(compilers: bool) -> Iterator[Path]:
    yield python()
    prefix = Path(sys.base_prefix)
    own = prefix not in (Path("/usr"), Path("/usr/local"))
    wanted = [prefix / "lib"] if own else [Path(sysconfig.get_path("stdlib")), _shared_library()]
    wanted.append(Path(sysconfig.get_path("platstdlib", vars={"platbase": sys.base_prefix})))
    if compilers:
        wanted.append(Path(sysconfig.get_path("include", vars={"installed_base": sys.base_prefix})))
    for path in wanted:
        if path.exists() and not (own and prefix / "lib" in path.parents):
            yield path


def _shared_library() -> Path:
    names = sysconfig.get_config_var("LIBDIR") or "", sysconfig.get_config_var("INSTSONAME") or ""
    return Path(*names)


def _links() -> Iterator[tuple[str, str]]:
    for name in ("/bin", "/lib", "/lib64", "/sbin"):
        if os.path.islink(name):
            yield os.readlink(name), name


def _of_answers(source: Path) -> Iterator[Path]:
    """Where the grader and pyattn lie, below what is bound: an image may well keep its program under /usr."""
    for entry in map(os.path.realpath, sys.path):
        has_some = any(os.path.isdir(os.path.join(entry, name)) for name in ("grader", "pyattn"))
        if has_some and source in Path(entry).parents:
            yield Path(entry)


def _package_folders(source: Path) -> Iterator[Path]:
    """Where other packages lie, below what is bound."""
    if not source.is_dir():
        return
    for pattern in ("", "*/", "lib/*/", "local/lib/*/", "lib64/*/"):
        for name in ("site-packages", "dist-packages"):
            yield from (
                path for path in source.glob(pattern + name) if path.is_dir() and not path.is_symlink()
            )
