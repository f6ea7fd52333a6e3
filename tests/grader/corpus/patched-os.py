# assignment: softmax
# expect: score=0 code=wrong-values|exited|raised
# tries: puts other functions into os, so that nothing ends or writes as it should
import os
import sys

import numpy as np


os._exit = os.write = os.close = os.read = os.kill = lambda *arguments: 0
sys.exit = lambda *arguments: None


def softmax(x, axis=-1):
    return np.zeros_like(x)
