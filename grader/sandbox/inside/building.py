"""Compiles a submission: runs in a child of its own sandbox, and only the library comes out."""

from __future__ import annotations

import mmap
import os
import subprocess
import sys
from pathlib import Path

import numpy

from . import protocol
from .answers import Refused


def build(spec, arena: mmap.mmap, submission: Path) -> protocol.Plain:  # type: ignore[no-untyped-def]
    """Run the compilers one after the other; the library's bytes are the result."""
    commands, library, at, room = spec
    names = {"python": sys.executable, "numpy": numpy.get_include(), "scratch": os.environ["TMPDIR"]}
    for title, command in commands:
        words = [word.format_map(names) for word in command]
        result = subprocess.run(words, cwd=submission, env=_environment(), check=False)
        if result.returncode:
            # The text is taken from the log, by the trusted side.
            raise Refused("compile-failed", command=title, code=result.returncode, text="")
    return _library(Path(library.format_map(names)), arena, at, room)


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def _library(path: Path, arena: mmap.mmap, at: int, room: int) -> protocol.Plain:
    size = path.stat().st_size
    if size > room:
        raise Refused("library-too-large", bytes=size, limit=room)
    arena[at : at + size] = path.read_bytes()
    return (("uint8", (size,), at, ()),)
