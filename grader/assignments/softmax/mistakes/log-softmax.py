"""log softmax."""

import numpy as np

CODE = "log-softmax"
TITLE = {"en": "The logarithm of the weights is returned", "zh": "返回的是权重的对数"}
HINT = {
    "en": "You return log softmax. Take np.exp of it, or leave the logarithm out.",
    "zh": "您返回的是 log softmax。请再取一次 np.exp，或者去掉对数。",
}


def share(powers, totals):
    return np.log(powers) - np.log(totals)
