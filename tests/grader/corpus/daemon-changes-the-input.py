# assignment: softmax
# expect: score=0 code=input-changed
# tries: answers rightly while another process goes on changing the input
import os
import time

@RIGHT@


def softmax(x, axis=-1):
    answer = right(x, axis)
    if os.fork() == 0:
        while True:
            x[...] = 0
    time.sleep(0.02)
    return answer
