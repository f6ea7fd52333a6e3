"""x / Σ x."""

import numpy as np

CODE = "no-exp"
TITLE = {"en": "The numbers themselves are shared out, without exp", "zh": "没有取指数就直接归一化"}
HINT = {
    "en": "You compute x / Σ x. Softmax takes exp(x) first, which makes every weight positive.",
    "zh": "您计算的是 x / Σ x。Softmax 要先取指数 exp(x)，这样每个权重才是正数。",
}


def base(top):
    return np.zeros_like(top)


def exponentials(shifted):
    return shifted
