# assignment: softmax
# expect: score=0 code=wrong-values
# tries: leaves a thread that is waited for at exit
import threading
import time

import numpy as np


def softmax(x, axis=-1):
    threading.Thread(target=time.sleep, args=(1000,)).start()
    return np.zeros_like(x)
