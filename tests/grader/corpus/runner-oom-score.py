# assignment: softmax
# expect: score=0 code=wrong-values
# tries: makes the runner go first when memory ends
import os

@RIGHT@


def attempt():
    open("/proc/1/oom_score_adj", "w").write("1000")


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
