# assignment: softmax
# expect: score=0 code=wrong-values|wall-time-out|out-of-memory|killed|sandbox-lost|cpu-time-out
# limits: wall_seconds=0.3
# tries: makes empty files and folders until the system has no more
import contextlib
import os

import numpy as np


def softmax(x, axis=-1):
    with contextlib.suppress(OSError):
        for number in range(30_000):
            os.mkdir(f"/tmp/corpus-left-{number}")
            os.symlink("/", f"/dev/shm/corpus-left-{number}")
    return np.zeros_like(x)
