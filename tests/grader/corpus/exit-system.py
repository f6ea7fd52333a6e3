# assignment: softmax
# expect: score=0 code=exit-called
# tries: ends as if all were well
import sys

import numpy as np


def softmax(x, axis=-1):
    sys.exit(0)
