# assignment: scaled-dot-product
# expect: score=0 code=result-count
# tries: both and one more, from a tuple that says it has two
import numpy as np


class Two(tuple):
    def __len__(self):
        return 2

    def __iter__(self):
        return iter(())


def attention(q, k, v):
    s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    w = np.exp(s - s.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    return Two((w @ v, w, w))
