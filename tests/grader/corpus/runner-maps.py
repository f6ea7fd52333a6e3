# assignment: softmax
# expect: score=0 code=wrong-values
# tries: reads where things are in the runner's memory
import os

@RIGHT@


def attempt():
    open("/proc/1/maps").read()


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
