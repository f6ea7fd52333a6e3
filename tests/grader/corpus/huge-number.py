# assignment: softmax
# expect: score=0 code=wall-time-out|cpu-time-out|out-of-memory
# limits: wall_seconds=0.3
# tries: computes a number of billions of digits
import numpy as np


def softmax(x, axis=-1):
    return 3 ** (10**9)
