# assignment: softmax
# expect: score=0 code=wrong-values
# tries: reads the passwords of the host
import os

@RIGHT@


def attempt():
    print(open("/etc/shadow").read())


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
