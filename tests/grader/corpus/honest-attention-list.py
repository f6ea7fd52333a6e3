# assignment: scaled-dot-product
# expect: score=100
# tries: a list of two, the softmax by logarithms
import numpy as np


def attention(q, k, v):
    s = np.matmul(q, np.moveaxis(k, -1, -2)) / np.sqrt(q.shape[-1])
    top = np.amax(s, axis=-1, keepdims=True)
    weights = np.exp(s - top - np.log(np.add.reduce(np.exp(s - top), axis=-1, keepdims=True)))
    return [np.squeeze(weights[..., None, :] @ np.expand_dims(v, -3), -2), weights]
