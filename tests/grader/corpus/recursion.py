# assignment: softmax
# expect: score=0 code=raised
# tries: recurses without end
import numpy as np


def softmax(x, axis=-1):
    return softmax(x, axis)
