"""KQᵀ."""

CODE = "queries-keys-swapped"
TITLE = {"en": "Queries and keys have changed places", "zh": "查询和键互换了"}
HINT = {
    "en": "You compute KQᵀ, that is QKᵀ transposed: keys ask and queries answer. Rows of the scores belong "
    "to queries, columns to keys: q @ k.swapaxes(-1, -2).",
    "zh": "您计算的是 KQᵀ，也就是 QKᵀ 的转置：变成了键在提问、查询在回答。分数矩阵的行对应查询，列对应键：q @ k.swapaxes(-1, -2)。",
}


def roles(q, k, v):
    return k, q, v
