# assignment: softmax
# expect: score=0 code=result-is-subclass
# tries: an array that says it is near everything
import numpy as np


class Agreeable(np.ndarray):
    __eq__ = __le__ = lambda self, other: np.ones(self.shape, bool)

    def __array_function__(self, function, types, arguments, options):
        return True

    def __array_ufunc__(self, ufunc, method, *arguments, **options):
        return np.ones(self.shape, bool)


def softmax(x, axis=-1):
    return np.zeros_like(x).view(Agreeable)
