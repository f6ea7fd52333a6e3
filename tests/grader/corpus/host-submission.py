# assignment: softmax
# expect: score=0 code=wrong-values
# tries: changes its own source for the next test
import os

@RIGHT@


def attempt():
    open("/submission/submission.py", "a").write("# corpus-left")


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
