# assignment: softmax
# expect: score=0 code=wrong-values
# tries: the input itself
import numpy as np


def softmax(x, axis=-1):
    return x
