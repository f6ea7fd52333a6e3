"""exp(s − the block's own maximum)."""

import numpy as np

CODE = "block-maximum"
TITLE = {
    "en": "The powers of a block are taken under its own maximum",
    "zh": "每块的指数减去的是该块自己的最大值",
}
HINT = {
    "en": "A block's powers must be exp(s − m′) with the running maximum m′. Under the block's own maximum they do not fit "
    "what was summed before wherever an earlier block had a larger score.",
    "zh": "每块的指数应当是 exp(s − m′)，其中 m′ 是到目前为止的最大值。若减去该块自己的最大值，只要前面的块有更大的分数，就与之前累加的结果对不上。",
}


def blocked_attention(q, k, v, block):
    q, k, v = roles(q, k, v)
    highest = np.full((len(q), 1), -np.inf, q.dtype)
    total = np.zeros((len(q), 1), q.dtype)
    output = np.zeros((len(q), v.shape[-1]), q.dtype)
    for start in starts(len(k), block):
        tile = scale(scores(q, k[start : start + block]), q.shape[-1])
        old, highest = highest, larger(highest, tile)
        factor, powers = shrink(old, highest), np.exp(tile - tile.max(axis=-1, keepdims=True))
        total = grow_total(total, factor, powers)
        output = grow_output(output, factor, powers, v[start : start + block])
    return finish(output, total)
