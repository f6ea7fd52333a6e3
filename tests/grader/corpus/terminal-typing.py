# assignment: softmax
# expect: score=0 code=wrong-values
# tries: types into the terminal of whoever started the grader
import contextlib
import fcntl
import termios

import numpy as np


def softmax(x, axis=-1):
    for descriptor in range(3):
        for letter in b"echo corpus-left\n":
            with contextlib.suppress(OSError):
                fcntl.ioctl(descriptor, termios.TIOCSTI, bytes([letter]))
    with contextlib.suppress(OSError):
        open("/dev/tty", "w").write("corpus-left")
    return np.zeros_like(x)
