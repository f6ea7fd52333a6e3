"""An eps in the denominator."""

CODE = "eps-added"
FIT = {"EPS": (1e-13, 1e-1)}
TITLE = {"en": "A small number is added to the sum", "zh": "分母上多加了一个很小的数"}
HINT = {
    "en": "You divide by Σ + ε. The weights then sum to a little less than 1. After subtracting the "
    "maximum the sum is at least 1, so nothing can be divided by 0 and no ε is needed; treat a row "
    "that sees nothing by itself.",
    "zh": "您除以的是 Σ + ε，于是权重之和会略小于 1。减去最大值以后，分母至少是 1，不可能除以 0，所以不需要 ε；全部被遮住的行请单独处理。",
}


def share(powers, totals):
    return powers / (totals + EPS)
