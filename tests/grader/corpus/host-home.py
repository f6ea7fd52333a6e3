# assignment: softmax
# expect: score=0 code=wrong-values
# tries: looks into the home of root
import os

@RIGHT@


def attempt():
    os.listdir("/root"), os.listdir("/home")


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
