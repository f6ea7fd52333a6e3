# assignment: softmax
# expect: score=0 code=wrong-values
# tries: becomes root in namespaces of its own
import ctypes

@RIGHT@


def attempt():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    for call in (
        (272, 0x10000000),
        (272, 0x00020000),
        (272, 0x7E020080),
        (56, 0x10000011, 0, 0, 0, 0),
        (435, 0, 88),
        (308, 3, 0),
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
