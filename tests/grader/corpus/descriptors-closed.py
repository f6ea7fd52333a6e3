# assignment: softmax
# expect: score=0 code=wrong-values|exited
# tries: closes every descriptor
import os

import numpy as np


def softmax(x, axis=-1):
    os.closerange(0, 1 << 16)
    return np.zeros_like(x)
