# assignment: softmax
# expect: score=0 code=wrong-values
# tries: gives a file of the host another name
import os

@RIGHT@


def attempt():
    os.link("@CANARY@", "/tmp/corpus-left-link", follow_symlinks=False)


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
