# assignment: softmax
# expect: score=0 code=wrong-values
# tries: reads a file of the host through other processes' roots
import os

@RIGHT@


def attempt():
    for pid in (1, os.getppid(), "self", "thread-self"):
        for path in (f"/proc/{pid}/root@CANARY@", f"/proc/{pid}/cwd/../../..@CANARY@", "/.." + "@CANARY@"):
            if os.path.exists(path):
                print(open(path).read())
                return
    raise OSError("none")


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
