# assignment: softmax
# expect: score=0 code=wrong-values
# tries: leaves a process that holds the pipe of what is printed open
import os
import time

import numpy as np


def softmax(x, axis=-1):
    if os.fork() == 0:
        os.setsid()
        while True:
            print("still here", flush=True)
            time.sleep(0.01)
    return np.zeros_like(x)
