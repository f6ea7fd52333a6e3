"""√n of the queries."""

import math

CODE = "scaled-by-queries"
TITLE = {"en": "Divided by the root of the number of queries", "zh": "除以了查询个数的平方根"}
HINT = {
    "en": "You divide by the root of how many queries there are. d is how wide each of them is: q.shape[-1].",
    "zh": "您除以的是查询个数的平方根。d 是每个查询的宽度：q.shape[-1]。",
}


def attention(q, k, v):
    q, k, v = roles(q, k, v)
    weights = weigh(scores(q, k) / math.sqrt(q.shape[-2]), q.shape[-1])
    return results(combine(weights, v), weights)
