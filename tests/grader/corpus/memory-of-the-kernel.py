# assignment: softmax
# expect: score=0 code=wrong-values|out-of-memory|killed|raised
# tries: fills the buffers of as many pipes as it gets
import contextlib
import fcntl
import os

import numpy as np


def softmax(x, axis=-1):
    with contextlib.suppress(OSError):
        while True:
            read, write = os.pipe()
            with contextlib.suppress(OSError):
                fcntl.fcntl(write, 1031, 1 << 20)
            os.set_blocking(write, False)
            with contextlib.suppress(BlockingIOError):
                while True:
                    os.write(write, bytes(65536))
    return np.zeros_like(x)
