# assignment: softmax
# expect: score=0 code=wrong-values
# tries: sets the clock
import time

@RIGHT@


def attempt():
    time.clock_settime(time.CLOCK_REALTIME, 0)


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
