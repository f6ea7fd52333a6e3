# assignment: softmax
# expect: score=0 code=raised
# tries: hooks that say that all is well
import os
import sys
import threading

import numpy as np


sys.excepthook = sys.unraisablehook = threading.excepthook = lambda *arguments: os._exit(0)


def softmax(x, axis=-1):
    raise ValueError("no answer")
