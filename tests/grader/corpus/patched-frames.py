# assignment: softmax
# expect: score=0 code=wrong-values|exited|raised|exit-called
# tries: traces the frames that are to store its answer
import sys

import numpy as np


def tracer(frame, event, argument):
    for name in ("array", "arrays", "value", "inputs", "allowed", "expected"):
        frame.f_locals.pop(name, None)
    return tracer


def softmax(x, axis=-1):
    answer = np.zeros_like(x)
    frame = sys._getframe(1)
    while frame:
        frame.f_trace = tracer
        frame = frame.f_back
    sys.settrace(tracer)
    sys.setprofile(lambda *arguments: None)
    return answer
