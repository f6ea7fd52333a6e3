# assignment: softmax
# expect: score=0 code=wrong-values
# tries: finds processes of the host
import os

@RIGHT@


def attempt():
    others = [name for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid())]
    if not others:
        raise OSError("none")
    os.kill(int(others[0]), 9)


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
