# assignment: softmax
# expect: score=0 code=wrong-values
# tries: ends, stops or confuses the runner with every signal there is
import contextlib
import os

import numpy as np


def softmax(x, axis=-1):
    for number in range(1, 65):
        for pid in (1, os.getppid()):
            with contextlib.suppress(OSError):
                os.kill(pid, number)
    return np.zeros_like(x)
