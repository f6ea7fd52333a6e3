# assignment: softmax
# expect: score=100
# tries: lets threads work
import concurrent.futures

import numpy as np


def core(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0))
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total > 0, total, 1)


def softmax(x, axis=-1):
    lines = np.moveaxis(x, axis, -1)
    flat = lines.reshape(-1, lines.shape[-1])
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        rows = list(pool.map(core, flat))
    return np.moveaxis(np.array(rows).reshape(lines.shape), -1, axis)
