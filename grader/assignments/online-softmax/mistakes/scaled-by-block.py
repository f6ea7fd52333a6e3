"""/√block."""

import math

CODE = "scaled-by-block"
TITLE = {"en": "Divided by the root of the block's size", "zh": "除以了块大小的平方根"}
HINT = {
    "en": "You divide by the root of the number of keys in the block. It is the width of queries and keys "
    "that counts: q.shape[-1].",
    "zh": "您除以的是块中键数的平方根。应当使用查询和键的宽度：q.shape[-1]。",
}


def scale(scores, width):
    return scores / math.sqrt(scores.shape[-1])
