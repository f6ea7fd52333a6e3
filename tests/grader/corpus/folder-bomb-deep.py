# assignment: softmax
# expect: score=0 code=wrong-values
# tries: builds a folder within a folder, too deep for whoever cleans up by recursion
import os

import numpy as np


def softmax(x, axis=-1):
    os.chdir("/tmp")
    for _ in range(5000):
        os.mkdir("corpus-left")
        os.chdir("corpus-left")
    return np.zeros_like(x)
