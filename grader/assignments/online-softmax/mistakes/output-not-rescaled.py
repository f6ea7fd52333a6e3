"""Only the sum rescaled."""

CODE = "output-not-rescaled"
TITLE = {"en": "The running output is not rescaled", "zh": "累加的输出没有重新缩放"}
HINT = {
    "en": "You rescale the sum by exp(old − new), but not the output so far. Both belong to the old "
    "maximum: output = output * factor + powers @ v.",
    "zh": "您用 exp(旧 − 新) 缩放了分母，却没有缩放已有的输出。两者都对应旧的最大值：output = output * factor + powers @ v。",
}


def grow_output(output, factor, powers, v):
    return output + powers @ v
