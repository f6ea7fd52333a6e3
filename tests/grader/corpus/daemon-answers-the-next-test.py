# assignment: softmax
# expect: score=0 code=wrong-values
# tries: leaves a process that answers for the next test
import os
import time

@RIGHT@


def softmax(x, axis=-1):
    path = "/tmp/corpus-left-answer"
    if os.path.exists(path):
        return right(x, axis)
    if os.fork() == 0:
        os.setsid()
        while True:
            open(path, "w").close()
            time.sleep(0.001)
    time.sleep(0.02)
    return np.zeros_like(x)
