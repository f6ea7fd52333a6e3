# assignment: softmax
# expect: score=0 code=wall-time-out|cpu-time-out
# limits: wall_seconds=0.3
# tries: prints without end
import numpy as np


def softmax(x, axis=-1):
    while True:
        print("\0\r\x1b[31m" * 1000)
