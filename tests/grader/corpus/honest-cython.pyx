# assignment: fast-attention
# expect: score=100
# tests: small odd double
# tries: nothing
"""Assignment 14: fast attention in Cython. This is right, and slow: make it fast."""

import numpy as np

from cython cimport floating
from libc.math cimport exp, sqrt


cdef void attend_row(const floating* q, const floating* k, const floating* v, floating* weights, floating* out,
                     Py_ssize_t keys, Py_ssize_t width, Py_ssize_t value_width) noexcept nogil:
    """One query: out = softmax(q kᵀ / √width) v."""
    cdef Py_ssize_t j, c
    cdef floating score, largest = 0, total = 0
    cdef floating scale = <floating>(1 / sqrt(<double>width))
    for j in range(keys):
        score = 0
        for c in range(width):
            score += q[c] * k[j * width + c]
        weights[j] = scale * score
        if j == 0 or weights[j] > largest:
            largest = weights[j]
    for j in range(keys):
        weights[j] = <floating>exp(weights[j] - largest)
        total += weights[j]
    for c in range(value_width):
        out[c] = 0
    for j in range(keys):
        for c in range(value_width):
            out[c] += weights[j] / total * v[j * value_width + c]


def attend(const floating[:, :, ::1] q, const floating[:, :, ::1] k, const floating[:, :, ::1] v,
           floating[:, :, ::1] out, floating[::1] weights):
    """Fill `out`; `weights` is room for one row."""
    cdef Py_ssize_t head, i
    with nogil:
        for head in range(q.shape[0]):
            for i in range(q.shape[1]):
                attend_row(&q[head, i, 0], &k[head, 0, 0], &v[head, 0, 0], &weights[0], &out[head, i, 0],
                           k.shape[1], q.shape[2], v.shape[2])


def attention(q, k, v):
    """softmax(q kᵀ / √width) v for (heads, sequence, width) arrays of float32."""
    out = np.empty((q.shape[0], q.shape[1], v.shape[2]), q.dtype)
    attend(q, k, v, out, np.empty(k.shape[1], q.dtype))
    return out


def attention_double(q, k, v):
    """The same for float64."""
    return attention(q, k, v)
