# assignment: softmax
# expect: score=0 code=wrong-values
# tries: reads what the kernel tells about the runner
import os

@RIGHT@


def attempt():
    for name in ("auxv", "stack", "syscall", "io"):
        open(f"/proc/1/{name}", "rb").read()


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
