# assignment: masking
# expect: score=0 code=nan-where-none-belongs
# tries: NaN, both infinities and the largest numbers mixed
import numpy as np


def masked_attention(q, k, v, *, causal=False, valid_lens=None):
    out = np.zeros((*q.shape[:2], v.shape[2]))
    out.flat[::5], out.flat[1::5], out.flat[2::5], out.flat[3::5] = np.nan, np.inf, -np.inf, 1.7e308
    return out
