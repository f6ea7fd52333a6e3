"""No factor exp(old − new)."""

import numpy as np

CODE = "no-rescale"
TITLE = {
    "en": "What was summed before is not rescaled when the maximum grows",
    "zh": "最大值变大时，没有重新缩放之前的累加结果",
}
HINT = {
    "en": "Sum and output so far were computed with the old maximum. When a block brings a larger one, "
    "multiply both by exp(old − new) before you add to them.",
    "zh": "之前的总和与输出是按旧的最大值计算的。当新的块带来更大的最大值时，请先把两者都乘以 exp(旧 − 新)，再累加。",
}


def shrink(old, new):
    return np.ones_like(new)
