# assignment: softmax
# expect: score=0 code=wrong-values
# tries: looks for the expected answer among all objects
import gc

import numpy as np


def softmax(x, axis=-1):
    seen = gc.get_objects()
    for thing in [*seen, *(referent for one in seen for referent in gc.get_referents(one))]:
        if type(thing) is np.ndarray and thing.shape == x.shape and thing is not x and not np.may_share_memory(thing, x):
            return np.array(thing)
    return np.zeros_like(x)
