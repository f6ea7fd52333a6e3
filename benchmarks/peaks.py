"""What the hardware can do, measured beside the engines in the same rounds by a small C++ program.

The program is compiled where it runs, for the processor it runs on. Without a compiler the peaks are unknown.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from shapes import Row

FLOPS = ("f32_wide", "f32_256", "f64", "bf16")
SOURCE = Path(__file__).with_name("peaks.cpp")


class NoCompiler(Exception):
    """There is no C++ compiler, or it refused the program."""


def _build(folder: str) -> ctypes.CDLL:
    compiler = next(filter(None, map(shutil.which, (os.environ.get("CXX", "c++"), "g++", "clang++"))), None)
    if compiler is None:
        raise NoCompiler("no C++ compiler found (set CXX)")
    library = Path(folder, "peaks.so")
    command = [compiler, "-std=c++17", "-O3", "-march=native", "-Wno-psabi", "-shared", "-fPIC", "-pthread"]
    done = subprocess.run(
        [*command, str(SOURCE), "-o", str(library)], check=False, capture_output=True, text=True
    )
    if done.returncode:
        raise NoCompiler(f"{compiler} refused peaks.cpp: {done.stderr.strip()[:300]}")
    return ctypes.CDLL(str(library))


class Peaks:
    """Operations and bytes a second of ``threads`` threads."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._buffer = np.zeros(0, dtype=np.uint8)
        with tempfile.TemporaryDirectory() as folder:
            self._library = _build(folder)
        for name in FLOPS:
            function = getattr(self._library, f"peak_{name}")
            function.restype, function.argtypes = ctypes.c_double, [ctypes.c_int, ctypes.c_double]
        self._read = self._library.read_bandwidth
        self._read.restype = ctypes.c_double
        self._read.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_double]

    def flops(self, kind: str, seconds: float) -> float:
        """Operations a second of the fused multiply-add of that kind; 0 if the processor has none."""
        return getattr(self._library, f"peak_{kind}")(self.threads, seconds)

    def bandwidth(self, size: int, seconds: float) -> float:
        """Bytes a second when a buffer of ``size`` bytes is read again and again.

        As large as the keys and values of the row, so that what fits a cache for the engines fits it here as well.
        """
        if self._buffer.nbytes < size:
            self._buffer = np.ones(size, dtype=np.uint8)
        return self._read(self._buffer.ctypes.data, size, self.threads, seconds)

    def kind(self, row: Row) -> str:
        """The peak that a row is held against."""
        if row.isa == "v3":
            return "f32_256"
        if row.shape.dtype == "bfloat16" and self.flops("bf16", 0.001):
            return "bf16"
        return "f64" if row.shape.dtype == "float64" else "f32_wide"
