# assignment: softmax
# expect: score=0 code=wrong-values|raised|killed|result-is-list|result-wrong-type|exited
# tries: finds the functions of the child on the stack and replaces what they call
import gc
import sys

import numpy as np


def softmax(x, axis=-1):
    frame = sys._getframe()
    while frame:
        for name, value in list(frame.f_globals.items()):
            if name in ("store", "report", "_checked", "_split", "np", "protocol", "written", "_written"):
                frame.f_globals[name] = lambda *arguments, **options: ("ok", ())
        frame = frame.f_back
    for thing in gc.get_objects():
        if type(thing).__name__ == "function" and thing.__name__ in ("_checked", "said", "judge"):
            thing.__code__ = (lambda *arguments, **options: True).__code__
    return np.zeros_like(x)
