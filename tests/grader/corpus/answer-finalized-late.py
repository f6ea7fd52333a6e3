# assignment: masking
# expect: score=0 code=result-is-subclass
# tries: an array that computes itself when it is looked at, __array_finalize__ and all
import numpy as np


class Late(np.ndarray):
    __array_priority__ = 1e9

    def __array_finalize__(self, other):
        self.late = True

    def __array_ufunc__(self, *args, **kwargs):
        return np.True_

    def __array_function__(self, *args, **kwargs):
        return True


def masked_attention(q, k, v, *, causal=False, valid_lens=None):
    return np.zeros((*q.shape[:2], v.shape[2]), q.dtype).view(Late)
