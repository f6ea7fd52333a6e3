# assignment: softmax
# expect: score=0 code=wrong-values
# tries: cuts the shared memory, so that whoever reads it falls
import mmap
import os

import numpy as np


def arena_of(x):
    """The shared memory that the arguments lie in."""
    while not isinstance(x, mmap.mmap):
        x = x.base if isinstance(x, np.ndarray) else x.obj
    return x


def softmax(x, axis=-1):
    for attempt in (lambda: arena_of(x).resize(4096), lambda: os.truncate("/proc/self/map_files/0-1", 0)):
        try:
            attempt()
        except (OSError, SystemError, ValueError, BufferError):
            continue
        return None
    return np.zeros_like(x)
