# assignment: softmax
# expect: score=0 code=raised|wrong-values|exited|killed
# tries: a timer that raises while its answer is looked at
import signal

import numpy as np


def ring(number, frame):
    raise SystemExit(0)


def softmax(x, axis=-1):
    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 1e-5, 1e-5)
    return np.zeros_like(x)
