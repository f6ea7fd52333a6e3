# assignment: softmax
# expect: score=0 code=wrong-values
# tries: makes the runner wait, and itself important
import contextlib
import os

import numpy as np


def softmax(x, axis=-1):
    for pid in (1, os.getppid(), 0):
        with contextlib.suppress(OSError):
            os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0))
        with contextlib.suppress(OSError):
            os.sched_setaffinity(pid, {0})
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, pid, 19)
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_USER, 0, 19)
    return np.zeros_like(x)
