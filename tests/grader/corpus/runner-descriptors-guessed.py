# assignment: softmax
# expect: score=0 code=wrong-values
# tries: opens the runner's descriptors by number, as their list may be hidden
import os

@RIGHT@


def attempt():
    opened = 0
    for number in range(64):
        try:
            os.open(f"/proc/{os.getppid()}/fd/{number}", os.O_RDWR)
            opened += 1
        except OSError:
            continue
    if not opened:
        raise OSError("none")


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
