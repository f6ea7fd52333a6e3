# assignment: softmax
# expect: score=0 code=wall-time-out
# limits: wall_seconds=0.3
# tries: an exception whose text never comes
import time

import numpy as np


class Patience(Exception):
    def __str__(self):
        time.sleep(1000)


def softmax(x, axis=-1):
    raise Patience
