# assignment: softmax
# expect: score=0 code=wrong-values
# tries: reads a file of the host that everybody may read
import os

@RIGHT@


def attempt():
    print(open("@CANARY@").read())


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
