# assignment: softmax
# expect: score=0 code=raised
# tries: an exception with a text of a hundred megabytes
import numpy as np


def softmax(x, axis=-1):
    raise ValueError("多" * (30 << 20))
