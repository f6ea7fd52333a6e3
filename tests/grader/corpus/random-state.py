# assignment: softmax
# expect: score=0 code=wrong-values
# tries: sets the seed of all random numbers
import random

import numpy as np


random.seed(0)
np.random.seed(0)
np.random.default_rng = lambda *arguments: np.random.RandomState(0)


def softmax(x, axis=-1):
    return np.zeros_like(x)
