# assignment: softmax
# expect: score=0 code=result-is-none
# tries: nothing
import numpy as np


def softmax(x, axis=-1):
    return None
