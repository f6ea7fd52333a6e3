# assignment: softmax
# expect: score=0 code=raised
# tries: is to be ended by its own alarm; there are no timers that outlive a call
import signal
import time

import numpy as np


def softmax(x, axis=-1):
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(10)
