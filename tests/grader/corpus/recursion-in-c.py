# assignment: softmax
# expect: score=0 code=killed|raised|out-of-memory
# tries: overflows the stack of C
import sys

import numpy as np


def softmax(x, axis=-1):
    sys.setrecursionlimit(1 << 30)
    nested = []
    for _ in range(500_000):
        nested = [nested]
    return repr(nested)
