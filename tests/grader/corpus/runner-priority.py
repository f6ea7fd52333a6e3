# assignment: softmax
# expect: score=0 code=wrong-values
# tries: slows the runner down or moves it away
import contextlib
import os

import numpy as np


def softmax(x, axis=-1):
    for attempt in (
        lambda: os.setpriority(os.PRIO_PROCESS, 1, 19),
        lambda: os.setpriority(os.PRIO_USER, 0, 19),
        lambda: os.sched_setaffinity(1, {0}),
        lambda: os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0)),
    ):
        with contextlib.suppress(OSError):
            attempt()
    return np.zeros_like(x)
