# assignment: softmax
# expect: score=0 code=wrong-values
# tries: becomes root again
import os

@RIGHT@


def attempt():
    os.setresuid(0, 0, 0)
    os.setgroups([])


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
