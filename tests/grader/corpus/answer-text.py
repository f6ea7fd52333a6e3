# assignment: softmax
# expect: score=0 code=result-wrong-type
# tries: text
import numpy as np


def softmax(x, axis=-1):
    return '100'
