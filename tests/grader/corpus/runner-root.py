# assignment: softmax
# expect: score=0 code=wrong-values
# tries: walks through the runner's root folder
import os

@RIGHT@


def attempt():
    os.listdir("/proc/1/root/proc/1/root/"), os.listdir("/proc/1/cwd/")


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
