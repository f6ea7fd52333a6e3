# assignment: softmax
# expect: score=0 code=wrong-values
# tries: leaves shared memory, queues and semaphores of System V
import ctypes

@RIGHT@


def attempt():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    for call in (
        (29, 0xC0, 4096, 0o1666),
        (68, 0xC0, 0o1666),
        (64, 0xC0, 1, 0o1666),
    ):
        if libc.syscall(*map(ctypes.c_long, call)) >= 0:
            return
    raise OSError(ctypes.get_errno(), "denied")


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
