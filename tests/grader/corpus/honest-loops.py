# assignment: softmax
# expect: score=100
# tries: loops over every element and nothing of NumPy's
import math

import numpy as np


def row(numbers):
    top = max(numbers)
    if top == -math.inf:
        return [0.0] * len(numbers)
    powers = [math.exp(number - top) for number in numbers]
    total = math.fsum(powers)
    return [power / total for power in powers]


def softmax(x, axis=-1):
    lines = np.moveaxis(x, axis, -1)
    answer = np.empty(lines.shape)
    for index in np.ndindex(lines.shape[:-1]):
        answer[index] = row([float(number) for number in lines[index]])
    return np.moveaxis(answer, -1, axis)
