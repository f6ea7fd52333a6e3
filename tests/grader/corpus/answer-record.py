# assignment: softmax
# expect: score=0 code=result-wrong-dtype
# tries: records with a field
import numpy as np


def softmax(x, axis=-1):
    return np.zeros(x.shape, [("weight\x1b[31m", x.dtype)])
