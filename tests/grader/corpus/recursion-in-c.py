# assignment: softmax
# expect: score=0 code=killed
# tries: overflows the stack of C
import numpy as np


def softmax(x, axis=-1):
    nested = ()
    for _ in range(2_000_000):
        nested = (nested,)
    return hash(nested)
