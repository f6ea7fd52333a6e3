# assignment: softmax
# expect: score=0 code=wrong-values
# tries: raises its own limits
import os

@RIGHT@


def attempt():
    for folder, _, names in os.walk("/sys/fs/cgroup"):
        for name in ("memory.limit_in_bytes", "memory.max", "pids.max"):
            if name in names:
                open(f"{folder}/{name}", "w").write("max")
                return
    raise OSError("none")


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
