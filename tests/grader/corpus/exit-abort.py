# assignment: softmax
# expect: score=0 code=killed
# tries: aborts
import os

import numpy as np


def softmax(x, axis=-1):
    os.abort()
