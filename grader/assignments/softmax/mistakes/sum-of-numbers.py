"""exp(x) / Σ x."""

CODE = "sum-of-numbers"
TITLE = {
    "en": "Divided by the sum of the numbers, not of their powers",
    "zh": "除以的是原数之和，而不是指数之和",
}
HINT = {
    "en": "The denominator lacks the exp: it is Σ exp(x), the sum of just the powers that stand above.",
    "zh": "分母漏了 exp：应当是 Σ exp(x)，也就是分子上那些指数之和。",
}


def softmax(x, axis=-1):
    axis = direction(axis)
    powers = exponentials(x - base(largest(x, axis)))
    return share(powers, total(x, axis))
