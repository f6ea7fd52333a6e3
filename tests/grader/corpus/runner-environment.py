# assignment: softmax
# expect: score=0 code=wrong-values
# tries: reads what the runner was started with
import os

@RIGHT@


def attempt():
    open("/proc/1/environ", "rb").read()


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
