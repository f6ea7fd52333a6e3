# assignment: softmax
# expect: score=100
# tries: a lambda
import numpy as np


shifted = lambda x, axis: np.exp(x - np.nan_to_num(x.max(axis=axis, keepdims=True), neginf=0.0))
share = lambda e, axis: e / np.maximum(e.sum(axis=axis, keepdims=True), np.finfo(e.dtype).tiny)
softmax = lambda x, axis=-1: share(shifted(x, axis), axis)
