# assignment: softmax
# expect: score=100
# tests: rows columns double square large high low stairs some-hidden all-hidden
# tries: computes with decimals of forty digits
import decimal
import math

import numpy as np

decimal.getcontext().prec = 40


def line(numbers):
    top = max(numbers)
    if top == -math.inf:
        return [0.0] * len(numbers)
    powers = [decimal.Decimal(n - top).exp() if n > -math.inf and n - top > -10000 else decimal.Decimal(0) for n in numbers]
    return [float(p / sum(powers)) for p in powers]


def softmax(x, axis=-1):
    moved = np.moveaxis(x, axis, -1)
    out = np.array([line(r) for r in moved.reshape(-1, moved.shape[-1]).tolist()])
    return np.moveaxis(out.reshape(moved.shape), -1, axis)
