"""2 to the power of x."""

import numpy as np

CODE = "base-two"
TITLE = {"en": "Powers of 2 instead of e", "zh": "底数用了 2 而不是 e"}
HINT = {
    "en": "You raise 2 to the numbers. Softmax uses powers of e: np.exp.",
    "zh": "您用的是以 2 为底的幂。Softmax 使用以 e 为底的指数：np.exp。",
}


def exponentials(shifted):
    return np.exp2(shifted)
