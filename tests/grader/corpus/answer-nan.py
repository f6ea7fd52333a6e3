# assignment: softmax
# expect: score=0 code=nan-where-none-belongs
# tries: NaN, which is as near as anything to some comparisons
import numpy as np


def softmax(x, axis=-1):
    return np.full_like(x, np.nan)
