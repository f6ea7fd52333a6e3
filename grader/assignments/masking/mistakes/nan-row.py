"""No care for a row that sees nothing."""

CODE = "nan-row"
TITLE = {"en": "A query that sees no key gets NaN", "zh": "看不到任何键的查询得到了 NaN"}
HINT = {
    "en": "When every score of a row is −inf its maximum is −inf, and (−inf) − (−inf) is NaN, as is 0/0. A "
    "query that sees nothing is to get zeros: take off 0 instead of a maximum of −inf, and divide "
    "only where the sum is not 0.",
    "zh": "一行分数全为 −inf 时，最大值也是 −inf，而 (−inf) − (−inf) 和 0/0 都是 NaN。什么也看不到的查询应当得到 0：最大值为 −inf 时改为减去 0，"
    "并且只在分母不为 0 时才做除法。",
}


def base(top):
    return top


def share(powers, totals):
    return powers / totals
