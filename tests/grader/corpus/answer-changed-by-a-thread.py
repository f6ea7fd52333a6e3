# assignment: softmax
# expect: score=0 code=wrong-values
# tries: a thread that goes on writing after the answer was given
import threading

import numpy as np


def softmax(x, axis=-1):
    answer = np.zeros_like(x)

    def write():
        while True:
            answer[...] = 1 - answer

    threading.Thread(target=write, daemon=True).start()
    return answer
