# assignment: softmax
# expect: score=0 code=wrong-values
# tries: reads a file of the host through links of its own making
import os

@RIGHT@


def attempt():
    os.symlink("@CANARY@", "/tmp/corpus-left-link")
    print(open("/tmp/corpus-left-link").read())


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
