# cython: language_level=3, boundscheck=False
# assignment: fast-attention
# expect: score=100
# tests: small odd double
# tries: cimports NumPy, fused types, a cpdef function and a class
import numpy as np

cimport cython
cimport numpy as cnp
from libc.math cimport exp, sqrt
from libc.stdlib cimport free, malloc

cnp.import_array()

ctypedef fused real:
    cnp.float32_t
    cnp.float64_t


cdef class Scratch:
    cdef double* room

    def __cinit__(self, Py_ssize_t size):
        self.room = <double*>malloc(size * sizeof(double))
        if self.room is NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.room)


@cython.wraparound(False)
cdef void work(real[:, :, :] q, real[:, :, :] k, real[:, :, :] v, real[:, :, :] out, Scratch scratch):
    cdef Py_ssize_t h, i, j, c
    cdef double s, top, total
    for h in range(q.shape[0]):
        for i in range(q.shape[1]):
            top = -1e300
            for j in range(k.shape[1]):
                s = 0
                for c in range(q.shape[2]):
                    s += <double>q[h, i, c] * k[h, j, c]
                scratch.room[j] = s / sqrt(<double>q.shape[2])
                top = max(top, scratch.room[j])
            total = 0
            for j in range(k.shape[1]):
                scratch.room[j] = exp(scratch.room[j] - top)
                total += scratch.room[j]
            for c in range(v.shape[2]):
                s = 0
                for j in range(k.shape[1]):
                    s += scratch.room[j] * v[h, j, c]
                out[h, i, c] = <real>(s / total)


cpdef attention(cnp.ndarray[cnp.float32_t, ndim=3] q, cnp.ndarray[cnp.float32_t, ndim=3] k,
                cnp.ndarray[cnp.float32_t, ndim=3] v):
    cdef cnp.ndarray[cnp.float32_t, ndim=3] out = np.empty((q.shape[0], q.shape[1], v.shape[2]), np.float32)
    work[cnp.float32_t](q, k, v, out, Scratch(k.shape[1]))
    return out


def attention_double(double[:, :, ::1] q, double[:, :, ::1] k, double[:, :, ::1] v):
    out = np.empty((q.shape[0], q.shape[1], v.shape[2]))
    work[cnp.float64_t](q, k, v, out, Scratch(k.shape[1]))
    return np.asarray(out)
