"""/√(width of the values)."""

CODE = "scaled-by-values"
TITLE = {"en": "Divided by the root of the values' width", "zh": "除以了值的宽度的平方根"}
HINT = {
    "en": "You take d from the values. It is the width of queries and keys that counts: q.shape[-1].",
    "zh": "您用了值的宽度作为 d。应当使用查询和键的宽度：q.shape[-1]。",
}


def attention(q, k, v):
    q, k, v = roles(q, k, v)
    weights = weigh(scale(scores(q, k), v.shape[-1]), q.shape[-1])
    return results(combine(weights, v), weights)
