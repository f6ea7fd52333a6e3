# assignment: softmax
# expect: score=0 code=wrong-values
# tries: prints more than a gigabyte
import os

import numpy as np


def softmax(x, axis=-1):
    block = b"x" * (1 << 20)
    for _ in range(1100):
        os.write(1, block)
    return np.zeros_like(x)
