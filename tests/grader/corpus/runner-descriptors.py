# assignment: softmax
# expect: score=0 code=wrong-values
# tries: opens what the runner has open
import os

@RIGHT@


def attempt():
    for name in os.listdir("/proc/1/fd"):
        os.write(os.open(f"/proc/1/fd/{name}", os.O_WRONLY), b"x")


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
