# assignment: softmax
# expect: score=100
# tries: the logarithm of the sum, in float64 and back
import numpy as np


def softmax(x, axis=-1):
    y = x.astype(np.float64)
    m = y.max(axis, keepdims=True)
    m[~np.isfinite(m)] = 0
    with np.errstate(divide="ignore", invalid="ignore"):
        out = np.exp(y - m - np.log(np.exp(y - m).sum(axis, keepdims=True)))
    out[np.isnan(out)] = 0
    return out.astype(x.dtype)
