# assignment: softmax
# expect: score=0 code=wrong-values
# tries: reads who uses the host
import os

@RIGHT@


def attempt():
    print(open("/etc/passwd").read())


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
