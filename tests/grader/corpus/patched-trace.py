# assignment: softmax
# expect: score=0 code=wrong-values|exited|raised
# tries: traces the runner's own lines after its return and changes what they hold
import sys

import numpy as np


def tracer(frame, event, argument):
    frame.f_locals.update(value=True, arrays=[], needed=0)
    return tracer


def softmax(x, axis=-1):
    frame = sys._getframe()
    sys.settrace(tracer)
    while frame:
        frame.f_trace = tracer
        frame = frame.f_back
    return np.zeros_like(x)
