# assignment: softmax
# expect: score=0 code=out-of-memory|killed
# limits: memory_bytes=100663296
# tries: wants more memory, and again
import numpy as np


def softmax(x, axis=-1):
    held = []
    while True:
        held.append(np.ones(1 << 22))
