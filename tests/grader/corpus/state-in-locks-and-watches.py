# assignment: softmax
# expect: score=0 code=wrong-values
# tries: leaves locks, leases and watches on files that every call sees
import contextlib
import ctypes
import fcntl
import os

@RIGHT@


def softmax(x, axis=-1):
    for path in ("/submission/submission.py", "/packages/numpy/__init__.py", "/proc/self/exe", "/proc/1"):
        try:
            descriptor = os.open(path, os.O_RDONLY)
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return right(x, axis)
        except OSError:
            continue
        with contextlib.suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        if os.fork() == 0:
            os.setsid()
            ctypes.CDLL(None).pause()
    return np.zeros_like(x)
