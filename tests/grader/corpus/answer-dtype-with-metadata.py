# assignment: masking
# expect: score=0 code=wrong-values|wrong-dtype
# tries: a dtype that is float32 and carries an object
import numpy as np


class Everything:
    def __eq__(self, other):
        return True

    __hash__ = None


def masked_attention(q, k, v, *, causal=False, valid_lens=None):
    lying = np.dtype(np.float32, metadata={"equal": Everything()})
    return np.zeros((*q.shape[:2], v.shape[2]), lying)
