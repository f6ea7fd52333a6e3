# assignment: softmax
# expect: score=0 code=wrong-values
# tries: attaches to the runner as a debugger
import ctypes
import os

@RIGHT@


def attempt():
    libc = ctypes.CDLL(None, use_errno=True)
    for request in (16, 0x4206):
        if libc.ptrace(request, os.getppid(), 0, 0) == 0:
            return
    raise OSError(ctypes.get_errno(), "ptrace")


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
