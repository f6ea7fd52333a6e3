# assignment: softmax
# expect: score=0 code=wrong-values
# tries: hangs in every handler that runs at exit
import atexit
import threading
import time

import numpy as np


class Last:
    def __del__(self):
        time.sleep(1000)


last = Last()
atexit.register(time.sleep, 1000)
threading._register_atexit(time.sleep, 1000)


def softmax(x, axis=-1):
    return np.zeros_like(x)
