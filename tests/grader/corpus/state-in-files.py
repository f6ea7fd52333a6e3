# assignment: softmax
# expect: score=0 code=wrong-values
# tries: answers rightly when a file of the call before is there
import contextlib
import os

import numpy as np


def right(x, axis):
    """The answer, given only if the attempt was let through."""
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def softmax(x, axis=-1):
    for folder in ("/tmp", "/dev/shm", "/submission", "/var/tmp", "/run"):
        path = f"{folder}/corpus-left"
        if os.path.exists(path):
            return right(x, axis)
        with contextlib.suppress(OSError):
            open(path, "w").close()
    return np.zeros_like(x)
