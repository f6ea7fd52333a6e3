# assignment: softmax
# expect: score=78 code=wrong-values|nan-where-none-belongs|inf-where-none-belongs named=no-max
# tests: rows columns double middle-axis square long large high low stairs some-hidden all-hidden
# tries: nothing: forgets to subtract the maximum
import numpy as np


def softmax(x, axis=-1):
    with np.errstate(all="ignore"):
        e = np.exp(x)
        total = e.sum(axis=axis, keepdims=True)
        return np.where(total == 0, 0, e / total)
