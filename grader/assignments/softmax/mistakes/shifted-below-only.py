"""exp(x) / Σ exp(x − max)."""

CODE = "shifted-below-only"
TITLE = {
    "en": "The maximum is subtracted in the sum, but not above",
    "zh": "只在分母上减去了最大值，分子没有",
}
HINT = {
    "en": "exp(x) is divided by Σ exp(x − max). The same number must come off in both, or it does not cancel: "
    "keep the powers in a variable, sum it, and divide it.",
    "zh": "您用 Σ exp(x − max) 去除 exp(x)。分子和分母必须减去同一个数，否则无法约掉：把指数存进一个变量，对它求和，再用它去除。",
}


def softmax(x, axis=-1):
    axis = direction(axis)
    powers = exponentials(x - base(largest(x, axis)))
    return share(exponentials(x), total(powers, axis))
