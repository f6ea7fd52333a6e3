# assignment: softmax
# expect: score=0 code=wrong-values
# tries: uses the calls that kernels fall by
import ctypes

@RIGHT@


def attempt():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    for call in (
        (321, 0, 0, 0),
        (298, 0, 0, 0, 0, 0),
        (323, 0),
        (425, 1, 0),
        (319, 0, 0),
        (300, 0, 0),
        (304, 0, 0, 0),
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
