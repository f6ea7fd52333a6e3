# assignment: softmax
# expect: score=0 code=wrong-values
# tries: looks through all of its memory for rows that sum to one
import ctypes

import numpy as np


def softmax(x, axis=-1):
    for line in open("/proc/self/maps"):
        ends, access, *_ = line.split()
        low, high = (int(end, 16) for end in ends.split("-"))
        if not access.startswith("rw") or high - low > 1 << 24:
            continue
        numbers = np.frombuffer(ctypes.string_at(low, high - low), x.dtype)
        with np.errstate(all="ignore"):
            sums = np.convolve(np.where(np.abs(numbers) < 1, numbers, 9), np.ones(x.shape[-1], x.dtype), "valid")
        for at in np.flatnonzero(np.abs(sums - 1) < 1e-6):
            found = numbers[at : at + x.size]
            if found.size == x.size and (found > 0).all():
                return found.reshape(x.shape).copy()
    return np.zeros_like(x)
