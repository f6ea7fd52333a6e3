"""softmax(−QKᵀ/√d)."""

CODE = "scores-negated"
TITLE = {"en": "The scores have the wrong sign", "zh": "分数的符号反了"}
HINT = {
    "en": "The best match gets the smallest weight. The product q · k is large where query and key "
    "agree: no minus before it.",
    "zh": "最匹配的键得到了最小的权重。q · k 越大表示查询与键越相近：前面不应有负号。",
}


def scores(q, k):
    return -(q @ k.swapaxes(-1, -2))
