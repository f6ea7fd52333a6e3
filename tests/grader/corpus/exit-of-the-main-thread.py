# assignment: softmax
# expect: score=0 code=wall-time-out|exited|killed
# limits: wall_seconds=0.5
# tries: ends its first thread and goes on in another one
import ctypes
import threading
import time

import numpy as np


def softmax(x, axis=-1):
    threading.Thread(target=time.sleep, args=(60,)).start()
    ctypes.CDLL(None).syscall(60, 0)
    return np.zeros_like(x)
