"""output / sum inside of the loop, and never multiplied back."""

import numpy as np

CODE = "divided-in-every-block"
TITLE = {"en": "The output is divided by the sum in every block", "zh": "每处理一块都除了一次总和"}
HINT = {
    "en": "The division by l stands inside of the loop. Either divide once, after the last block, or multiply by "
    "the old l again before the next block is added.",
    "zh": "除以 l 写在了循环里面。要么只在最后一块之后除一次，要么在加下一块之前先乘回旧的 l。",
}


def blocked_attention(q, k, v, block):
    q, k, v = roles(q, k, v)
    highest = np.full((len(q), 1), -np.inf, q.dtype)
    total = np.zeros((len(q), 1), q.dtype)
    output = np.zeros((len(q), v.shape[-1]), q.dtype)
    for start in starts(len(k), block):
        tile = scale(scores(q, k[start : start + block]), q.shape[-1])
        old, highest = highest, larger(highest, tile)
        factor, powers = shrink(old, highest), np.exp(tile - highest)
        total = grow_total(total, factor, powers)
        output = finish(grow_output(output, factor, powers, v[start : start + block]), total)
    return output
