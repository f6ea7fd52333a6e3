# assignment: softmax
# expect: score=0 code=wrong-values|exited|raised
# tries: puts other functions into builtins
import builtins

import numpy as np


def softmax(x, axis=-1):
    answer = np.zeros_like(x)
    builtins.abs = builtins.sum = builtins.max = builtins.all = builtins.any = lambda *arguments: True
    builtins.type = builtins.len = builtins.isinstance = builtins.tuple = lambda *arguments: True
    return answer
