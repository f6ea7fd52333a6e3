"""Always the last axis."""

CODE = "axis-ignored"
TITLE = {"en": "The argument axis is ignored", "zh": "忽略了 axis 参数"}
HINT = {
    "en": "Your function always works along the last axis. Pass axis on to max and to sum, both with "
    "keepdims=True.",
    "zh": "您的函数总是沿最后一个轴计算。请把 axis 传给 max 和 sum，并且都加上 keepdims=True。",
}


def direction(axis):
    return -1
