# assignment: softmax
# expect: score=0 code=result-wrong-dtype
# tries: objects that equal everything
import numpy as np


class Agreeable:
    """Equal to everything, near everything, less than everything."""

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = lambda self, other: True
    __sub__ = __rsub__ = __abs__ = __add__ = __mul__ = lambda self, *others: self
    __float__ = lambda self: 0.0
    __hash__ = None


def softmax(x, axis=-1):
    return np.full(x.shape, Agreeable(), object)
