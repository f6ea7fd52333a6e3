# assignment: softmax
# expect: score=0 code=wrong-values
# tries: a process whose name looks like what the kernel says of memory and of time
import ctypes

import numpy as np


def softmax(x, axis=-1):
    libc = ctypes.CDLL(None)
    for name in (b"a) R 1 1 1 1\n", b"RssAnon:\t0 kB", b"\xff\xfe\n\nVmPTE: "):
        libc.prctl(15, ctypes.c_char_p(name), 0, 0, 0)
        big = bytearray(1 << 22)
    return np.zeros_like(x) + len(big) * 0
