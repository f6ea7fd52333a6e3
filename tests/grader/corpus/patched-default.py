# assignment: softmax
# expect: score=0 code=function-wrong-parameters|raised|exit-called|exited|wall-time-out
# limits: wall_seconds=0.3
# tries: a wrong signature whose text never comes
import time

import numpy as np


class Slow:
    def __repr__(self):
        time.sleep(1000)


def softmax(first, second, third, fourth, fifth=Slow()):
    return first
