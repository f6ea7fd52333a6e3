# assignment: softmax
# expect: score=0 code=wrong-values
# tries: leaves a key in a keyring that outlives it
import ctypes

@RIGHT@


def attempt():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    for call in (
        (250, 1, 0),
        (250, 0, -3, 1),
        (248, 0, 0, 0, 0, -3),
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
