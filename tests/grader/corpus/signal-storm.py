# assignment: softmax
# expect: score=0 code=raised|exited|killed|wall-time-out
# limits: wall_seconds=2
# tries: a timer that raises everywhere, also where its report is written
import signal
import sys

import numpy as np


def bell(*_):
    raise KeyError("bell")


def softmax(x, axis=-1):
    signal.signal(signal.SIGALRM, bell)
    sys.setswitchinterval(1e-6)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.0001)
    while True:
        np.exp(x)
