# assignment: softmax
# expect: score=0 code=wall-time-out|cpu-time-out
# limits: wall_seconds=0.3
# tries: never ends and ignores every signal that can be ignored
import signal

import numpy as np


def softmax(x, axis=-1):
    for number in set(range(1, 65)) - {9, 19, 32, 33}:
        signal.signal(number, signal.SIG_IGN)
    while True:
        pass
