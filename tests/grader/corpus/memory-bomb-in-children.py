# assignment: softmax
# expect: score=0 code=out-of-memory|killed|wall-time-out|wrong-values
# limits: memory_bytes=100663296 wall_seconds=1
# tries: shares its memory out over many processes, each below the limit
import os
import time

import numpy as np


def softmax(x, axis=-1):
    for _ in range(10):
        if os.fork() == 0:
            held = np.ones(40 << 17)
            time.sleep(held[0] * 60)
    time.sleep(0.2)
    return np.zeros_like(x)
