"""k[start : start + block − 1]."""

import numpy as np

CODE = "one-key-short"
TITLE = {"en": "The last key of every block is left out", "zh": "每块都漏掉了最后一个键"}
HINT = {
    "en": "A slice does not contain its end: k[start : start + block] has block keys, so the − 1 is one too many.",
    "zh": "切片不包含末端：k[start : start + block] 正好是 block 个键，不要再减 1。",
}


def blocked_attention(q, k, v, block):
    q, k, v = roles(q, k, v)
    highest = np.full((len(q), 1), -np.inf, q.dtype)
    total = np.zeros((len(q), 1), q.dtype)
    output = np.zeros((len(q), v.shape[-1]), q.dtype)
    for start in starts(len(k), block):
        keys = slice(start, start + block - 1)
        if not len(k[keys]):
            continue
        tile = scale(scores(q, k[keys]), q.shape[-1])
        old, highest = highest, larger(highest, tile)
        factor, powers = shrink(old, highest), np.exp(tile - highest)
        total = grow_total(total, factor, powers)
        output = grow_output(output, factor, powers, v[keys])
    return finish(output, total)
