"""Only the output rescaled."""

CODE = "sum-not-rescaled"
TITLE = {"en": "The running sum is not rescaled", "zh": "累加的分母没有重新缩放"}
HINT = {
    "en": "You rescale the output by exp(old − new), but not the sum of the powers. Both belong to the old "
    "maximum: total = total * factor + powers.sum().",
    "zh": "您用 exp(旧 − 新) 缩放了输出，却没有缩放指数之和。两者都对应旧的最大值：total = total * factor + powers.sum()。",
}


def grow_total(total, factor, powers):
    return total + powers.sum(axis=-1, keepdims=True)
