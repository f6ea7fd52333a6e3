# assignment: softmax
# expect: score=0 code=wrong-values|exited|raised
# tries: opens files until there is no descriptor left
import contextlib

import numpy as np


kept = []


def softmax(x, axis=-1):
    with contextlib.suppress(OSError):
        while True:
            kept.append(open("/dev/null"))
    return np.zeros_like(x)
