# assignment: softmax
# expect: score=0 code=wrong-values|raised|exited|killed
# tries: changes every function of the runner that the collector finds
import gc
import types

import numpy as np


def fake(*arguments, **options):
    return True


def softmax(x, axis=-1):
    answer = np.zeros_like(x)
    for thing in gc.get_objects():
        if isinstance(thing, types.FunctionType) and "inside" in thing.__code__.co_filename:
            thing.__code__ = fake.__code__
    return answer
