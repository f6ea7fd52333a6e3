# assignment: softmax
# expect: score=0 code=exited
# tries: a record longer than its room
import mmap
import os

import numpy as np


def arena_of(x):
    """The shared memory that the arguments lie in."""
    while not isinstance(x, mmap.mmap):
        x = x.base if isinstance(x, np.ndarray) else x.obj
    return x


def softmax(x, axis=-1):
    arena_of(x)[:4] = b"\xff\xff\xff\xff"
    os._exit(0)
