# assignment: softmax
# expect: score=0 code=wrong-values|import-failed|exited
# tries: helpers with the names of modules that the runner's child may still import

import numpy as np


def softmax(x, axis=-1):
    return np.zeros_like(x)
