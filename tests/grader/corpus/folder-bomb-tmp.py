# assignment: softmax
# expect: score=0 code=wrong-values
# limits: file_bytes=8388608
# tries: fills /tmp to the last byte
import contextlib

import numpy as np


def softmax(x, axis=-1):
    with contextlib.suppress(OSError):
        for number in range(1000):
            with open(f"/tmp/corpus-left-{number}", "wb") as file:
                file.write(bytes(4 << 20))
    return np.zeros_like(x)
