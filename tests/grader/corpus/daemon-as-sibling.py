# assignment: softmax
# expect: score=0 code=wrong-values
# tries: a process that is the child of its own parent
import ctypes
import os
import time

CLONE_PARENT, SIGCHLD = 0x8000, 17

@RIGHT@


def softmax(x, axis=-1):
    if os.path.exists("/tmp/corpus-left-sibling"):
        return right(x, axis)
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    pid = libc.syscall(*map(ctypes.c_long, (56, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0)))
    while pid == 0:
        open("/tmp/corpus-left-sibling", "w").close()
        time.sleep(0.001)
    return np.zeros_like(x)
