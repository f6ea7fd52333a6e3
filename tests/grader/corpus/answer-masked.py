# assignment: softmax
# expect: score=0 code=result-is-masked
# tries: a masked array, whose comparisons are masked too
import numpy as np


def softmax(x, axis=-1):
    return np.ma.masked_all_like(x)
