# cython: language_level=3, boundscheck=False, wraparound=False
"""Recall stored patterns from damaged ones: attention, repeated until nothing moves.

One step is x ← softmax(beta · x @ patterns.T) @ patterns (Ramsauer et al., 2021, "Hopfield Networks is All You
Need"). Each state needs its own number of steps, so the loop around the core is in C, without the GIL, and the states
are shared out among threads.
"""

from cython.parallel cimport prange
from libc.math cimport fabs, fmax
from libc.stdint cimport int64_t
from libc.string cimport memcpy

import numpy as np

from pyattn.cython_api cimport OK, AttentionArgs, attention, attention_args, contiguous, error_message


cdef double distance(const float* a, const float* b, int64_t n) noexcept nogil:
    """The largest difference of two rows."""
    cdef double most = 0
    cdef int64_t i
    for i in range(n):
        most = fmax(most, fabs(a[i] - b[i]))
    return most


cdef int settle(
    float* state, float* moved, const float[:, ::1] patterns, double beta, double tolerance, int64_t* steps
) noexcept nogil:
    """Repeat the step until `state` moves by at most `tolerance`, or `steps` are used up; `steps` becomes their count."""
    cdef int64_t count = patterns.shape[0], width = patterns.shape[1], most = steps[0]
    cdef AttentionArgs args = attention_args(1, 1, 1, 1, count, width, width)
    cdef double way = tolerance
    cdef int code
    args.query = contiguous(state, 1, 1, width, sizeof(float))
    args.out = contiguous(moved, 1, 1, width, sizeof(float))
    args.key = args.value = contiguous(&patterns[0, 0], 1, count, width, sizeof(float))
    args.scale = beta
    args.threads = 1  # the states are what runs in parallel
    steps[0] = 0
    while steps[0] < most:
        code = attention(&args)
        if code != OK:
            return code
        steps[0] += 1
        way = distance(state, moved, width)
        memcpy(state, moved, width * sizeof(float))
        if way <= tolerance:
            return OK
    return OK


def recall(states, const float[:, ::1] patterns, double beta, *, double tolerance=1e-6, int64_t most_steps=1000,
           int num_threads=1):
    """Let every state settle in the memory of `patterns`.

    Parameters
    ----------
    states : (states, width) array
    patterns : (patterns, width) contiguous float32 array, at least one
    beta : float
        How sharply one pattern is told from another: the scale of the scores.

    Returns
    -------
    settled : (states, width) float32 array
    steps : (states,) int64 array
        How many steps each state took; `most_steps` if it had not settled by then.
    """
    settled = np.array(states, dtype=np.float32, order="C", ndmin=2)
    if patterns.shape[0] < 1 or settled.shape[1] != patterns.shape[1]:
        raise ValueError(f"recall: states {settled.shape} and {patterns.shape[0]} patterns of width {patterns.shape[1]}.")
    counts = np.full(len(settled), most_steps, dtype=np.int64)
    cdef float[:, ::1] state = settled, moved = np.empty_like(settled)
    cdef int64_t[::1] steps = counts
    cdef int[::1] codes = np.zeros(len(settled), dtype=np.intc)
    cdef int64_t i
    for i in prange(state.shape[0], nogil=True, schedule="dynamic", num_threads=num_threads):
        codes[i] = settle(&state[i, 0], &moved[i, 0], patterns, beta, tolerance, &steps[i])
    for code in codes:
        if code != OK:
            raise ValueError(f"recall: {error_message(code).decode()}.")
    return settled, counts
