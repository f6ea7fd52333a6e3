# assignment: softmax
# expect: score=0 code=out-of-memory|killed|raised
# limits: memory_bytes=100663296 wall_seconds=3
# tries: the same through a mapping of /dev/zero
import mmap
import os

import numpy as np


def softmax(x, axis=-1):
    kept = []
    for _ in range(12):
        memory = mmap.mmap(os.open("/dev/zero", os.O_RDWR), 1 << 25)
        memory.write(bytes(1 << 25))
        memory.madvise(mmap.MADV_DONTNEED)
        kept.append(memory)
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)
