# assignment: softmax
# expect: score=0 code=exited
# tries: becomes another program, which succeeds
import os
import sys

import numpy as np


def softmax(x, axis=-1):
    os.execv(sys.executable, [sys.executable, "-c", "pass"])
