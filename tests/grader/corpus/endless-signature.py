# assignment: softmax
# expect: score=0 code=exit-called
# tries: a signature that never comes to an end
import numpy as np


class Odd:
    def __call__(self, x, axis=-1):
        return np.zeros_like(x)

    @property
    def __wrapped__(self):
        return Odd()

    @property
    def __signature__(self):
        raise SystemExit(0)


softmax = Odd()
