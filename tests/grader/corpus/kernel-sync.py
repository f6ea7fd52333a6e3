# assignment: softmax
# expect: score=0 code=wrong-values
# tries: makes the whole machine write to its disks
import ctypes
import os

@RIGHT@


def softmax(x, axis=-1):
    libc = ctypes.CDLL(None, use_errno=True)
    ctypes.set_errno(0)
    libc.syscall(162)
    if ctypes.get_errno() and libc.syncfs(os.open("/tmp", os.O_RDONLY)):
        return np.zeros_like(x)
    return right(x, axis)
