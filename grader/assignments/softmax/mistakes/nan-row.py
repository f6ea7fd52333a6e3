"""No care for a row of only −inf."""

CODE = "nan-row"
TITLE = {"en": "A row of only −inf gives NaN", "zh": "全为 −inf 的行得到了 NaN"}
HINT = {
    "en": "In a row of only −inf the maximum is −inf, and (−inf) − (−inf) is NaN, as is 0/0. Such a row "
    "sees nothing: its weights are to be zeros. Take off 0 instead of a maximum of −inf, and divide "
    "only where the sum is not 0.",
    "zh": "整行都是 −inf 时，最大值也是 −inf，而 (−inf) − (−inf) 和 0/0 都是 NaN。这样的行什么也看不到，权重应当全为 0。最大值为 −inf 时请改为减去 0，"
    "并且只在分母不为 0 时才做除法。",
}


def base(top):
    return top


def share(powers, totals):
    return powers / totals
