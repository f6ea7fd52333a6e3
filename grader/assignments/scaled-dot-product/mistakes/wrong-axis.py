"""Softmax over the queries."""

CODE = "wrong-axis"
TITLE = {"en": "The softmax runs over the queries", "zh": "softmax 沿查询方向计算了"}
HINT = {
    "en": "You normalise each column, so that the weights of a key sum to 1 over the queries. Each query "
    "shares out its attention over the keys: axis=-1.",
    "zh": "您对每一列做了归一化，使同一个键在所有查询上的权重之和为 1。应当是每个查询把注意力分配给各个键：axis=-1。",
}


def largest(scores):
    return scores.max(axis=-2, keepdims=True)


def total(powers):
    return powers.sum(axis=-2, keepdims=True)
