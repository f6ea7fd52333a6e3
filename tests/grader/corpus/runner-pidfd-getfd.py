# assignment: softmax
# expect: score=0 code=wrong-values
# tries: takes the runner's descriptors over
import ctypes
import os

@RIGHT@


def attempt():
    libc = ctypes.CDLL(None, use_errno=True)
    handle = os.pidfd_open(1)
    if all(libc.syscall(438, handle, number, 0) < 0 for number in range(32)):
        raise OSError("none")


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
