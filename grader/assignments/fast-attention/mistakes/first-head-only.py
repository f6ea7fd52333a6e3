"""Head 0's keys and values for all."""

CODE = "first-head-only"
TITLE = {"en": "Every head uses keys and values of the first head", "zh": "所有的头都用了第一个头的键和值"}
HINT = {
    "en": "The pointers to keys and values do not move on with the head: head h begins at k + h * keys * "
    "width and v + h * keys * value_width.",
    "zh": "指向键和值的指针没有随头移动：第 h 个头从 k + h * keys * width 和 v + h * keys * value_width 开始。",
}


def scores(q, k):
    return q @ k[:1].swapaxes(-1, -2)


def combine(weights, v):
    return weights @ v[:1]
