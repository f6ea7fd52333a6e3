# assignment: softmax
# expect: score=0 code=killed
# tries: ends itself
import os
import signal

import numpy as np


def softmax(x, axis=-1):
    os.kill(os.getpid(), signal.SIGKILL)
