# assignment: softmax
# expect: score=0 code=wrong-values
# tries: looks for the expected answer in the frames of its callers
import sys

import numpy as np


def softmax(x, axis=-1):
    frame = sys._getframe(1)
    while frame:
        for thing in (*frame.f_locals.values(), *frame.f_globals.values()):
            if isinstance(thing, np.ndarray) and thing.shape == x.shape and thing is not x:
                return np.array(thing)
        frame = frame.f_back
    return np.zeros_like(x)
