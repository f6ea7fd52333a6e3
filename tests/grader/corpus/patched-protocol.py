# assignment: softmax
# expect: score=0 code=wrong-values|exited|raised
# tries: changes the functions of the runner's child through its frames
import sys

import numpy as np


def softmax(x, axis=-1):
    frame = sys._getframe(1)
    while frame:
        for name in ("store", "report", "describe", "_checked", "_answer", "_written", "_exit", "_flush"):
            if name in frame.f_globals and name not in globals():
                frame.f_globals[name] = lambda *arguments: ("ok", (("float32", (5, 7), 0, ()),))
        frame = frame.f_back
    return np.zeros_like(x)
