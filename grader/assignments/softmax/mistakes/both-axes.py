"""Softmax over the last two axes."""

CODE = "both-axes"
TITLE = {"en": "The last two axes are normalised together", "zh": "最后两个轴被放在一起归一化了"}
HINT = {
    "en": "All weights of a matrix together sum to 1. Softmax works along one axis: give both max and "
    "sum that axis, with keepdims=True.",
    "zh": "整个矩阵的权重加起来才等于 1。Softmax 只沿一个轴计算：给 max 和 sum 都指定这个轴，并加上 keepdims=True。",
}


def largest(x, axis):
    return x.max(axis=tuple(range(x.ndim))[-2:], keepdims=True)


def total(powers, axis):
    return powers.sum(axis=tuple(range(powers.ndim))[-2:], keepdims=True)
