# assignment: softmax
# expect: score=0 code=killed
# tries: lets the interpreter print all of its stacks when it falls
import ctypes
import faulthandler

import numpy as np

faulthandler.enable(all_threads=True)


def softmax(x, axis=-1):
    faulthandler.dump_traceback()
    return np.array([ctypes.string_at(0)])
