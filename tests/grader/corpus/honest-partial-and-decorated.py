# assignment: softmax
# expect: score=100
# tries: decorators, closures and a partial
import functools

import numpy as np


def noisy(function):
    @functools.wraps(function)
    def wrapped(*arguments, **options):
        print("called", function.__name__)
        return function(*arguments, **options)

    return wrapped


def made(shift):
    @noisy
    def inner(x, axis=-1, extra=None):
        def top():
            return x.max(axis=axis, keepdims=True)

        e = np.exp(x - (np.where(np.isfinite(top()), top(), 0) if shift else 0))
        total = e.sum(axis=axis, keepdims=True)
        return e / np.where(total > 0, total, 1)

    return inner


softmax = functools.partial(made(shift=True), extra="x")
