# assignment: softmax
# expect: score=0 code=wrong-values
# tries: makes everybody of its user slow, the runner included, for the next call to see
import contextlib
import ctypes
import os

@RIGHT@


def softmax(x, axis=-1):
    if os.getpriority(os.PRIO_PROCESS, 0) == 7 or ctypes.CDLL(None).syscall(252, 1, 0) & 7 == 5:
        return right(x, axis)
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_USER, 0, 7)
    ctypes.CDLL(None).syscall(251, 3, 0, 2 << 13 | 5)
    return np.zeros_like(x)
