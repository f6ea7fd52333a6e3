"""exp(x − max) / Σ exp(x)."""

CODE = "shifted-above-only"
TITLE = {
    "en": "The maximum is subtracted above, but not in the sum",
    "zh": "只在分子上减去了最大值，分母没有",
}
HINT = {
    "en": "exp(x − max) is divided by Σ exp(x). The same number must come off in both, or it does not cancel: "
    "keep the powers in a variable and sum that.",
    "zh": "您用 Σ exp(x) 去除 exp(x − max)。分子和分母必须减去同一个数，否则无法约掉：把指数存进一个变量，再对它求和。",
}


def softmax(x, axis=-1):
    axis = direction(axis)
    powers = exponentials(x - base(largest(x, axis)))
    return share(powers, total(exponentials(x), axis))
