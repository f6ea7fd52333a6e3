# assignment: softmax
# expect: score=0 code=wrong-values
# tries: mounts over what the next call will use
import ctypes

import numpy as np


def right(x, axis):
    """The answer, given only if the attempt was let through."""
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


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
