"""Building extensions against the installed pyattn, and saying in C's terms what arrays say in Python."""

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

HERE = Path(__file__).parent
DTYPES = {
    name: np.dtype(getattr(ml_dtypes, name, name)) for name in ("float32", "float64", "float16", "bfloat16")
}
SIZES = (2, 6, 3, 5, 13, 11, 17)  # batch, heads, kv_heads, queries, keys, width, value_width
PROBE, EXAMPLE = HERE / "cython_api_probe", HERE.parent / "examples" / "cython_extension"


def build(source, folder, name):
    """Build and import the extension `name` in a copy of `source`, away from this source tree."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        pytest.skip(f"the C compiler {compiler} is not installed")
    shutil.copytree(source, folder, dirs_exist_ok=True)
    command = [sys.executable, "setup.py", "build_ext", "--inplace"]
    quickly = os.environ | {"CFLAGS": "-O0"}
    done = subprocess.run(command, check=False, cwd=folder, env=quickly, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    binary = folder / (name + sysconfig.get_config_var("EXT_SUFFIX"))
    spec = importlib.util.spec_from_file_location(name, binary)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def problem(rng, dtype, sizes=SIZES):
    batch, heads, kv_heads, queries, keys, width, value_width = sizes
    shapes = (
        (batch, heads, queries, width),
        (batch, kv_heads, keys, width),
        (batch, kv_heads, keys, value_width),
    )
    return tuple(rng.standard_normal(shape).astype(DTYPES[dtype]) for shape in shapes)


def place(array):
    """An array of up to four axes as address and strides; axes of size 1 repeat."""
    array = array[(None,) * (4 - array.ndim)]
    return (array.ctypes.data, *(0 if n == 1 else s for n, s in zip(array.shape, array.strides, strict=True)))


def sizes_of(query, key, value):
    return (*query.shape[:2], key.shape[1], query.shape[2], *key.shape[2:], value.shape[3])


def attend(probe, query, key, value, out=None, **fields):
    """The door's answer; arrays among the fields must outlive the call."""
    sizes = sizes_of(query, key, value)
    if out is None:
        out = np.full((*query.shape[:3], value.shape[3]), 7, dtype=query.dtype)
    arrays = {"query": query, "key": key, "value": value, "out": out}
    fields = {"dtype": probe.DTYPES[query.dtype.name]} | {n: place(a) for n, a in arrays.items()} | fields
    code = probe.attention(sizes, fields)
    assert code == probe.OK, probe.error_message(code)
    return out


def same_bits(a, b):
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()
