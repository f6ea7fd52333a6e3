# assignment: softmax
# expect: score=0 code=wrong-values
# tries: answers rightly from the second call on
import os

@RIGHT@


CALLS = []


def softmax(x, axis=-1):
    CALLS.append(1)
    os.environ["CALLS"] = str(int(os.environ.get("CALLS", 0)) + 1)
    known = len(CALLS) > 1 or os.environ["CALLS"] != "1"
    return right(x, axis) if known else np.zeros_like(x)
