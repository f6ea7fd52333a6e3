"""No tail loop over the keys, vectors of 16."""

CODE = "keys-tail-16"
TITLE = {"en": "Keys beyond a multiple of 16 are left out", "zh": "超出 16 的整数倍的键被漏掉了"}
HINT = {
    "en": "Your loop takes 16 keys at a time and forgets those that are left over. Treat the tail one by "
    "one, or pad it with scores of −inf.",
    "zh": "您的循环每次处理 16 个键，却忘了剩下不满 16 个的部分。请逐个处理尾部，或者用 −inf 的分数补齐。",
}


def roles(q, k, v):
    keys = k.shape[-2] - k.shape[-2] % 16
    return q, k[..., :keys, :], v[..., :keys, :]
