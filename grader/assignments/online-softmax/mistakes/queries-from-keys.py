"""KKᵀ."""

CODE = "queries-from-keys"
TITLE = {"en": "The keys are used as queries", "zh": "把键当作查询来用"}
HINT = {
    "en": "You compute KKᵀ. The scores compare queries with keys: q @ k.swapaxes(-1, -2).",
    "zh": "您计算的是 KKᵀ。分数应当比较查询和键：q @ k.swapaxes(-1, -2)。",
}


def roles(q, k, v):
    return k, k, v
