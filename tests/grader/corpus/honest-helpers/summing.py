import numpy as np


def share(x, axis):
    e = np.exp(x)
    total = e.sum(axis=axis, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)
