# assignment: softmax
# expect: score=0 code=out-of-memory|killed|raised|sandbox-lost|wall-time-out
# limits: memory_bytes=100663296 wall_seconds=3
# tries: touches one page of every two megabytes, so that the tables grow and not the pages
import ctypes
import mmap

import numpy as np


def softmax(x, axis=-1):
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    size = 200 << 30
    base = libc.mmap(None, size, 1, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, -1, 0)
    libc.madvise(ctypes.c_void_p(base), ctypes.c_size_t(size), 15)
    view = np.frombuffer((ctypes.c_char * size).from_address(base), np.uint8)
    for _ in range(1):
        int(view[:: 1 << 21].sum())
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)
