# assignment: softmax
# expect: score=0 code=wrong-values
# tries: puts an object in the place of stdout that hangs and exits
import os
import sys

import numpy as np


class Stream:
    def write(self, text):
        os._exit(0)

    def flush(self):
        raise SystemExit(0)


def softmax(x, axis=-1):
    sys.stdout = sys.stderr = sys.__stdout__ = Stream()
    return np.zeros_like(x)
