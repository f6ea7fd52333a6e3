# assignment: softmax
# expect: score=0 code=wrong-values
# tries: leaves children that nobody has waited for
import os

import numpy as np


def softmax(x, axis=-1):
    for _ in range(10):
        if os.fork() == 0:
            os._exit(0)
    return np.zeros_like(x)
