# assignment: softmax
# expect: score=0 code=wrong-values
# tries: leaves a daemon in a session of its own
import os
import time

import numpy as np


def softmax(x, axis=-1):
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        os.closerange(0, 4096)
        while True:
            time.sleep(0.01)
            with open("/tmp/corpus-left-beat", "w") as file:
                file.write("beat")
    return np.zeros_like(x)
