# assignment: scaled-dot-product
# expect: score=0 code=wrong-values
# tries: the right output beside weights of zeros
import numpy as np


def attention(q, k, v):
    s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    w = np.exp(s - s.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    return w @ v, np.zeros_like(w)
