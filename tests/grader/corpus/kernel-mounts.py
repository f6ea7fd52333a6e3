# assignment: softmax
# expect: score=0 code=wrong-values
# tries: mounts over what the next call will use
import ctypes

@RIGHT@


def attempt():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) and libc.umount2(b"/submission", 2) and libc.chroot(b"/tmp"):
        raise OSError(ctypes.get_errno(), "denied")


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
