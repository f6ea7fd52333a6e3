# assignment: softmax
# expect: score=0 code=cpu-time-out|wall-time-out
# limits: cpu_seconds=0.5 wall_seconds=1.5
# tries: a process name that makes its processor time look like nothing
import ctypes
import os

NAME = b") R 1 1 1 0 -1"


def softmax(x, axis=-1):
    for _ in range(2):
        os.fork()
    ctypes.CDLL(None).prctl(15, NAME, 0, 0, 0)
    while True:
        pass
