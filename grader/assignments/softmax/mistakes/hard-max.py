"""One-hot."""

CODE = "hard-max"
TITLE = {"en": "All the weight on the largest number", "zh": "把全部权重都给了最大的数"}
HINT = {
    "en": "You return 1 for the largest number of each row and 0 for the rest. Softmax is soft: the others "
    "get exp(x − max) as their part.",
    "zh": "您让每行最大的数得 1，其余得 0。Softmax 是“软”的：其他数也按 exp(x − max) 的比例分得权重。",
}


def exponentials(shifted):
    return (shifted == 0).astype(shifted.dtype)
