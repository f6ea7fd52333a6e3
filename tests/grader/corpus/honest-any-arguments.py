# assignment: softmax
# expect: score=100
# tries: takes whatever comes
import numpy as np


def softmax(*arguments, **options):
    x, axis = arguments[0], options.get("axis", arguments[1] if len(arguments) > 1 else -1)
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(top), top, 0))
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total > 0, total, 1)
