# assignment: softmax
# expect: score=0 code=exited
# tries: ends at once with the status of success
import os

import numpy as np


def softmax(x, axis=-1):
    os._exit(0)
