# assignment: softmax
# expect: score=0 code=wrong-values
# tries: writes into the runner's memory
import os

@RIGHT@


def attempt():
    with open("/proc/1/mem", "r+b", buffering=0) as memory:
        memory.seek(0x400000)
        memory.write(b"x")


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
