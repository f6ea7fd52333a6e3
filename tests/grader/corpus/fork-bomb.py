# assignment: softmax
# expect: score=0 code=wall-time-out|cpu-time-out|out-of-memory|killed
# limits: wall_seconds=0.3
# tries: forks without end
import contextlib
import os

import numpy as np


def softmax(x, axis=-1):
    while True:
        with contextlib.suppress(OSError):
            os.fork()
