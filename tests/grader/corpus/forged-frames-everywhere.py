# assignment: softmax
# expect: score=0 code=wrong-values
# tries: writes what looks like a result into every descriptor there is
import os
import struct

import numpy as np


FRAME = b"ENDS" + struct.pack("<BidQQ?", 0, 0, 0.0, 0, 0, True)


def softmax(x, axis=-1):
    for descriptor in range(256):
        for frame in (FRAME, b"READY001", b'{"score": 100, "status": "ok"}\n', b"d"):
            try:
                os.write(descriptor, frame)
            except OSError:
                break
    return np.zeros_like(x)
