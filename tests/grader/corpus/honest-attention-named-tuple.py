# assignment: scaled-dot-product
# expect: score=100
# tries: a tuple with names, results in the order of Fortran, read-only
from collections import namedtuple

import numpy as np

Attended = namedtuple("Attended", "output weights")


class Attention:
    def __init__(self, temper=0.5):
        self.temper = temper

    def __call__(self, q, k, v):
        scores = np.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -self.temper
        scores -= scores.max(-1)[..., None]
        powers = np.exp(scores, out=scores)
        powers /= powers.sum(-1)[..., None]
        results = np.asfortranarray(powers @ v), np.asfortranarray(powers)
        for result in results:
            result.setflags(write=False)
        return Attended(*results)


attention = Attention()
