# assignment: softmax
# expect: score=0 code=killed|raised
# tries: overflows the stack of C
import sys

import numpy as np


def softmax(x, axis=-1):
    sys.setrecursionlimit(1 << 30)
    nested = []
    for _ in range(5_000_000):
        nested = [nested]
    return repr(nested)
