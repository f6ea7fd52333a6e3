# assignment: softmax
# expect: score=0 code=result-is-subclass
# tries: a file mapped into memory
import numpy as np


def softmax(x, axis=-1):
    return np.memmap("/tmp/corpus-left", x.dtype, "w+", shape=x.shape)
