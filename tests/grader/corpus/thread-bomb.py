# assignment: softmax
# expect: score=0 code=wrong-values|raised|killed|out-of-memory|wall-time-out
# tries: starts threads without end
import contextlib
import threading
import time

import numpy as np


def softmax(x, axis=-1):
    with contextlib.suppress(RuntimeError, MemoryError):
        while True:
            threading.Thread(target=time.sleep, args=(60,)).start()
    return np.zeros_like(x)
