"""No tail loop over the keys, vectors of 4."""

CODE = "keys-tail-4"
TITLE = {"en": "Keys beyond a multiple of 4 are left out", "zh": "超出 4 的整数倍的键被漏掉了"}
HINT = {
    "en": "Your loop takes 4 keys at a time and forgets those that are left over. Treat the tail one by "
    "one, or pad it with scores of −inf.",
    "zh": "您的循环每次处理 4 个键，却忘了剩下不满 4 个的部分。请逐个处理尾部，或者用 −inf 的分数补齐。",
}


def roles(q, k, v):
    keys = k.shape[-2] - k.shape[-2] % 4
    return q, k[..., :keys, :], v[..., :keys, :]
