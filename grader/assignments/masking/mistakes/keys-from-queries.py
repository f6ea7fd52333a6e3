"""QQᵀ."""

CODE = "keys-from-queries"
TITLE = {"en": "The queries are used as keys", "zh": "把查询当作键来用"}
HINT = {
    "en": "You compute QQᵀ. In self-attention Q and K come from the same tokens but are different arrays: "
    "q @ k.swapaxes(-1, -2).",
    "zh": "您计算的是 QQᵀ。在自注意力中，Q 和 K 虽然来自同一串词元，却是不同的数组：q @ k.swapaxes(-1, -2)。",
}


def roles(q, k, v):
    return q, q, v
