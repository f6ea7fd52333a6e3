# assignment: softmax
# expect: score=0 code=killed
# tries: is ended by its own alarm
import signal
import time

import numpy as np


def softmax(x, axis=-1):
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(10)
