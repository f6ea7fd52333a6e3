# assignment: softmax
# expect: score=0 code=killed|wrong-values|exited
# tries: ends everything that it may
import contextlib
import os
import signal

import numpy as np


def softmax(x, axis=-1):
    with contextlib.suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)
    os.killpg(0, signal.SIGKILL)
    return np.zeros_like(x)
