# assignment: online-softmax
# expect: score=100
# tries: a generator that remembers, float64 within, answers in float64
import numpy as np


def blocks(k, v, size):
    while len(k):
        yield np.asarray(k[:size], float), np.asarray(v[:size], float)
        k, v = k[size:], v[size:]


def blocked_attention(q, k, v, block):
    q = np.asarray(q, float) / np.sqrt(q.shape[1])
    m = np.full(len(q), -np.inf)
    state = np.zeros((len(q), v.shape[1] + 1))
    for keys, values in blocks(k, v, block):
        s = q @ keys.T
        m, old = np.maximum(m, s.max(1)), m
        state *= np.exp(old - m)[:, None]
        state += np.exp(s - m[:, None]) @ np.column_stack([values, np.ones(len(values))])
    return state[:, :-1] / state[:, -1:]
