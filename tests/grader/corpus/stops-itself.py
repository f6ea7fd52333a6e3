# assignment: softmax
# expect: score=0 code=wall-time-out
# limits: wall_seconds=0.3
# tries: stops itself and waits for somebody to wake it
import os
import signal

import numpy as np


def softmax(x, axis=-1):
    os.kill(os.getpid(), signal.SIGSTOP)
    return np.zeros_like(x)
