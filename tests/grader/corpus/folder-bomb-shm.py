# assignment: softmax
# expect: score=0 code=wrong-values
# tries: fills /dev/shm to the last byte
import contextlib

import numpy as np


def softmax(x, axis=-1):
    with contextlib.suppress(OSError):
        for number in range(1000):
            with open(f"/dev/shm/corpus-left-{number}", "wb") as file:
                file.write(bytes(1 << 20))
    return np.zeros_like(x)
