# assignment: softmax
# expect: score=100
# tests: rows double square
# tries: a pool of processes
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pool

import numpy as np


def row(line):
    e = np.exp(line - line.max())
    return e / e.sum()


def softmax(x, axis=-1):
    lines = x.reshape(-1, x.shape[-1])
    with Pool(2) as pool:
        first = pool.map(row, lines)
    with ProcessPoolExecutor(2) as pool:
        second = list(pool.map(row, lines))
    assert all(np.array_equal(a, b) for a, b in zip(first, second))
    return np.array(second).reshape(x.shape)
