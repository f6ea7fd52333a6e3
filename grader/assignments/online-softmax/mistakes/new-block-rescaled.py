"""The factor on the new block."""

CODE = "new-block-rescaled"
TITLE = {
    "en": "The new block is rescaled, not what was summed before",
    "zh": "缩放了新的块，而不是之前累加的结果",
}
HINT = {
    "en": "exp(m − m′) belongs to the old l and o, which were summed under the old maximum. The new block's powers "
    "are under the new one already.",
    "zh": "exp(m − m′) 应当乘在旧的 l 和 o 上，它们是在旧的最大值下累加的。新块的指数已经减去了新的最大值。",
}


def grow_total(total, factor, powers):
    return total + factor * powers.sum(axis=-1, keepdims=True)


def grow_output(output, factor, powers, v):
    return output + factor * (powers @ v)
