# assignment: softmax
# expect: score=0 code=wrong-values
# tries: writes a setting of the kernel that is its namespace's own, for the next call to read
import contextlib

SETTINGS = ("/proc/sys/fs/mqueue/msg_default", "/proc/sys/fs/mqueue/queues_max", "/proc/sys/kernel/sem")

@RIGHT@


def softmax(x, axis=-1):
    for path in SETTINGS:
        with contextlib.suppress(OSError, ValueError), open(path, "r+") as file:
            if file.read().split()[0] == "7":
                return right(x, axis)
            file.seek(0)
            file.write("7")
    return np.zeros_like(x)
