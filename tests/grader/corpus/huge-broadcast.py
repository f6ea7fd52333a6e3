# assignment: softmax
# expect: score=0 code=result-too-large
# tries: a result of a petabyte that takes four bytes
import numpy as np


def softmax(x, axis=-1):
    return np.broadcast_to(np.float32(0), (1 << 25, 1 << 25))
