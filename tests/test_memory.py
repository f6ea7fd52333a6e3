"""Memory: nothing read beyond an array, and never one number for each pair of query and key."""

import ctypes
import mmap
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from oracle import DTYPES

import pyattn

PAGE = mmap.PAGESIZE
LIBC = ctypes.CDLL(None, use_errno=True)
pytestmark = pytest.mark.skipif(not hasattr(LIBC, "mprotect"), reason="this system has no mprotect")


def between_guards(x, at_end):
    """A copy of x that ends (or begins) where a page that nobody may touch begins (or ends)."""
    pages = -(-x.nbytes // PAGE)
    memory = mmap.mmap(-1, (pages + 2) * PAGE)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for guard in (start, start + (pages + 1) * PAGE):
        assert LIBC.mprotect(ctypes.c_void_p(guard), ctypes.c_size_t(PAGE), 0) == 0
    offset = PAGE + (pages * PAGE - x.nbytes if at_end else 0)
    copy = np.frombuffer(memory, np.uint8, x.nbytes, offset).view(x.dtype).reshape(x.shape)
    copy[...] = x
    return copy


@pytest.mark.parametrize("at_end", [True, False], ids=["at the end", "at the beginning"])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("width", [1, 5, 8, 16, 17, 32, 33, 64])
def test_no_byte_beyond_an_array_is_read_or_written(width, dtype, at_end, isa):
    """A single one would end this process."""
    rng = np.random.default_rng(0)
    for queries, keys in ((1, 1), (1, 37), (2, 130), (7, 9), (50, 129)):
        call = {
            "query": rng.standard_normal((2, queries, width)).astype(dtype),
            "key": rng.standard_normal((2, keys, width)).astype(dtype),
            "value": rng.standard_normal((2, keys, width)).astype(dtype),
            "mask": rng.random((2, queries, keys)) < 0.8,
            "bias": rng.standard_normal((2, queries, keys)).astype(dtype),
            "sinks": rng.standard_normal(2).astype(dtype),
            "out": np.zeros((2, queries, width), dtype),
        }
        expected = pyattn.attention(**call).copy()
        guarded = {name: between_guards(x, at_end) for name, x in call.items()}
        np.testing.assert_array_equal(pyattn.attention(**guarded), expected)
        np.testing.assert_array_equal(pyattn.softmax(guarded["key"]), pyattn.softmax(call["key"]))
        backwards = {name: guarded[name][::-1, ::-1, ::-1] for name in ("query", "key", "value", "out")}
        pyattn.attention(**backwards)


def growth_of_peak(call, length):
    """Bytes by which the peak memory of a fresh process grows during a call."""
    script = f"""
        import resource
        import numpy as np
        import pyattn
        n = {length}
        x = np.random.default_rng(0).standard_normal((n, 64), dtype=np.float32)
        out = np.zeros_like(x)
        halves, wide = x.astype(np.float16), np.repeat(x, 2, axis=1)[:, ::2]
        half_out = np.zeros_like(halves)
        pyattn.attention(x[:512], x[:512], x[:512])
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        {call}
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=True
    )
    return 1024 * int(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize(
    "call",
    [
        "pyattn.attention(x, x, x, pyattn.causal(), out=out)",
        "pyattn.attention(x, x, x, pyattn.window(100), bias=pyattn.alibi(1), out=out)",
        "pyattn.attention(halves, halves, halves, pyattn.window(100, 100), out=half_out)",
        "pyattn.attention(wide, wide, wide, pyattn.window(100, 100), out=out)",
        "pyattn.attention(x[:1], wide, wide)",
        "pyattn.attention(halves[:1], halves, halves)",
    ],
)
def test_extra_memory_is_neither_quadratic_nor_a_copy_of_an_input(call):
    """32768 × 32768 scores would be 4 GB, a copy of one input 8 MB (of halves 4 MB)."""
    assert growth_of_peak(call, 32768) < 4e6
