# assignment: softmax
# expect: score=0 code=wall-time-out
# limits: wall_seconds=0.3
# tries: sleeps while it is imported
import time


time.sleep(1000)
