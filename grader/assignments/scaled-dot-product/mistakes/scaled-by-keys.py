"""/√n."""

import math

CODE = "scaled-by-keys"
TITLE = {"en": "Divided by the root of the number of keys", "zh": "除以了键个数的平方根"}
HINT = {
    "en": "You divide by √n, n being the number of keys. It is the width of queries and keys that counts: "
    "q.shape[-1].",
    "zh": "您除以的是 √n（n 是键的个数）。应当使用查询和键的宽度：q.shape[-1]。",
}


def scale(scores, width):
    return scores / math.sqrt(scores.shape[-1])
