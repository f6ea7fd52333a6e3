# assignment: softmax
# expect: score=0 code=function-wrong-parameters|raised|wrong-values|exit-called
# tries: a function whose signature and name are objects of its own
import sys

import numpy as np


class Odd:
    __name__ = property(lambda self: sys.exit(0))

    @property
    def __signature__(self):
        sys.exit(0)

    def __call__(self, *arguments, **options):
        return np.zeros_like(arguments[0])


softmax = Odd()
