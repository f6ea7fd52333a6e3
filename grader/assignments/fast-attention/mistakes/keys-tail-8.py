"""No tail loop over the keys, vectors of 8."""

CODE = "keys-tail-8"
TITLE = {"en": "Keys beyond a multiple of 8 are left out", "zh": "超出 8 的整数倍的键被漏掉了"}
HINT = {
    "en": "Your loop takes 8 keys at a time and forgets those that are left over. Treat the tail one by "
    "one, or pad it with scores of −inf.",
    "zh": "您的循环每次处理 8 个键，却忘了剩下不满 8 个的部分。请逐个处理尾部，或者用 −inf 的分数补齐。",
}


def roles(q, k, v):
    keys = k.shape[-2] - k.shape[-2] % 8
    return q, k[..., :keys, :], v[..., :keys, :]
