# assignment: softmax
# expect: score=0 code=wrong-values
# tries: writes into times, modes and attributes of files that stay
import contextlib
import os

PLACES = ("/submission/submission.py", "/submission", "/tmp", "/dev/shm", "/dev/null", "/dev/pts", "/dev/pts/ptmx", "/dev", "/", "/proc/1")

@RIGHT@


def softmax(x, axis=-1):
    for path in PLACES:
        with contextlib.suppress(OSError):
            if os.stat(path).st_mtime_ns == 77 or "user.left" in os.listxattr(path):
                return right(x, axis)
        with contextlib.suppress(OSError):
            os.utime(path, ns=(77, 77))
        with contextlib.suppress(OSError):
            os.setxattr(path, "user.left", b"1")
        with contextlib.suppress(OSError):
            os.chmod(path, 0o777)
    return np.zeros_like(x)
