"""Always the first axis."""

CODE = "first-axis"
TITLE = {"en": "The weights of columns sum to 1, not those of rows", "zh": "归一化的是列而不是行"}
HINT = {
    "en": "You sum along axis 0 whatever was asked for. The default is axis=-1, the last one; "
    "x.sum(axis=axis, keepdims=True) does what the caller says.",
    "zh": "无论要求哪个轴，您都沿第 0 轴求和。默认值是 axis=-1，即最后一个轴；请用 x.sum(axis=axis, keepdims=True)。",
}


def direction(axis):
    return 0
