# assignment: softmax
# expect: score=0 code=wall-time-out
# limits: wall_seconds=0.5
# tries: turns the pipe into packets of one byte each
import ctypes
import fcntl
import os

import numpy as np


def softmax(x, axis=-1):
    fcntl.fcntl(1, fcntl.F_SETFL, os.O_WRONLY | os.O_DIRECT)
    while True:
        os.write(1, b"x")
