# assignment: softmax
# expect: score=100
# tries: a view with strides, backwards and into something larger
import numpy as np


def core(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0))
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total > 0, total, 1)


def softmax(x, axis=-1):
    room = np.zeros((*x.shape, 3), x.dtype)
    room[..., 1] = core(x, axis)
    turned = room[..., 1].T[::-1].copy()[::-1].T
    return turned
