# assignment: softmax
# expect: score=0 code=wrong-values
# tries: changes settings of the kernel
import contextlib

@RIGHT@


def attempt():
    for path in ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/sys/kernel/uevent_helper"):
        with contextlib.suppress(FileNotFoundError):
            open(path, "w").write("|/tmp/x")
            return
    raise OSError("none")


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
