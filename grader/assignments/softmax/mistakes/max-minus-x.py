"""exp(max − x)."""

import numpy as np

CODE = "max-minus-x"
TITLE = {"en": "exp(max − x) in place of exp(x − max)", "zh": "把 exp(x − max) 写成了 exp(max − x)"}
HINT = {
    "en": "The smallest number of a row gets the largest weight, and large differences overflow. Take "
    "the maximum off the numbers, not the numbers off the maximum.",
    "zh": "一行中最小的数得到了最大的权重，而且差距大时会溢出。应该用数减去最大值，而不是用最大值减去数。",
}


def exponentials(shifted):
    return np.exp(-shifted)
