# assignment: softmax
# expect: score=0 code=wrong-values
# tries: reads the secrets of the grader's environment
import os

@RIGHT@


def attempt():
    if "CORPUS_CANARY" not in os.environ:
        raise OSError("none")
    print(os.environ["CORPUS_CANARY"])


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
