# assignment: softmax
# expect: score=0 code=raised
# tries: raises what a person at the keyboard would
import numpy as np


def softmax(x, axis=-1):
    raise KeyboardInterrupt
