# assignment: softmax
# expect: score=100
# tries: leaves a daemon thread and an open file behind
import atexit
import tempfile
import threading
import time

import numpy as np

beat = threading.Thread(target=lambda: time.sleep(30), daemon=True)
beat.start()
log = tempfile.NamedTemporaryFile("w", suffix=".log")
atexit.register(log.close)


def softmax(x, axis=-1):
    log.write(f"{x.shape}\n")
    m = x.max(axis, keepdims=True)
    m = np.where(m > -np.inf, m, 0)
    p = np.exp(x - m)
    return np.nan_to_num(p / p.sum(axis, keepdims=True)) if np.isneginf(x).any() else p / p.sum(axis, keepdims=True)
