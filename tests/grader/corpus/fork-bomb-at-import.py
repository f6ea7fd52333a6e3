# assignment: softmax
# expect: score=0 code=wall-time-out|cpu-time-out|out-of-memory|killed
# limits: wall_seconds=0.3
# tries: forks without end while it is imported, and hides in sessions of their own
import os


while True:
    try:
        if os.fork() == 0:
            os.setsid()
    except OSError:
        pass
