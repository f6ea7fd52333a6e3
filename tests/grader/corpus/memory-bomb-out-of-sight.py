# assignment: softmax
# expect: score=0 code=out-of-memory|killed|raised
# limits: memory_bytes=100663296 wall_seconds=3
# tries: fills shared memory piece by piece and lets go of each, so that no process seems to hold any
import ctypes
import mmap

import numpy as np


def softmax(x, axis=-1):
    libc = ctypes.CDLL(None)
    kept = []
    for _ in range(12):
        memory = mmap.mmap(-1, 1 << 25)
        memory.write(bytes(1 << 25))
        memory.madvise(mmap.MADV_DONTNEED)
        kept.append(memory)
    if all(memory[:1] == b"\0" for memory in kept):
        e = np.exp(x - x.max(axis, keepdims=True))
        return e / e.sum(axis, keepdims=True)
    return np.zeros_like(x)
