# assignment: softmax
# expect: score=0 code=cpu-time-out|wall-time-out
# limits: cpu_seconds=0.5 wall_seconds=1.5
# tries: lets children and threads use the processor time that it may not use itself
import os

import numpy as np


def softmax(x, axis=-1):
    for _ in range(3):
        if os.fork() == 0:
            break
    while True:
        pass
