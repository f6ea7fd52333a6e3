"""(exp + ε) / Σ."""

import numpy as np

CODE = "eps-above"
FIT = {"EPS_ABOVE": (1e-13, 1e-1)}
TITLE = {"en": "A small number is added to every power", "zh": "每个指数上都多加了一个很小的数"}
HINT = {
    "en": "An ε stands in the numerator: no weight can become 0 then, and the weights of a row sum to "
    "more than 1. Leave it out; after subtracting the maximum nothing can be divided by 0.",
    "zh": "分子上多了一个 ε：这样权重永远不会是 0，一行的和也会大于 1。请去掉它；减去最大值以后不可能除以 0。",
}


def share(powers, totals):
    return np.divide(powers + EPS_ABOVE, totals, out=np.zeros_like(powers), where=totals != 0)
