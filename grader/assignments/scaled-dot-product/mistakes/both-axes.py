"""Softmax over the whole matrix."""

CODE = "both-axes"
TITLE = {"en": "The softmax runs over queries and keys at once", "zh": "softmax 同时沿查询和键两个方向计算了"}
HINT = {
    "en": "All weights of a matrix together sum to 1. Each query shares out its attention by itself: "
    "both max and sum go over the keys only, axis=-1 with keepdims=True.",
    "zh": "整个矩阵的权重加起来才等于 1。每个查询应当各自分配注意力：max 和 sum 都只沿键的方向，axis=-1，并加上 keepdims=True。",
}


def largest(scores):
    return scores.max(axis=(-2, -1), keepdims=True)


def total(powers):
    return powers.sum(axis=(-2, -1), keepdims=True)
