# assignment: softmax
# expect: score=0 code=wrong-values
# tries: a child that gathers the orphans which the runner should bury
import ctypes
import os
import signal
import time

@RIGHT@


def softmax(x, axis=-1):
    if os.path.exists("/tmp/corpus-left-orphan"):
        return right(x, axis)
    if os.fork() == 0:
        os.setsid()
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
        for number in range(1, 65):
            try:
                signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError):
                pass
        if os.fork() == 0 and os.fork() == 0:
            while True:
                open("/tmp/corpus-left-orphan", "w").close()
                time.sleep(0.001)
        time.sleep(600)
    return np.zeros_like(x)
