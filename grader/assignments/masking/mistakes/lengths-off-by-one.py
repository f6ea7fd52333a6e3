"""j ≤ length."""

import numpy as np

CODE = "lengths-off-by-one"
TITLE = {"en": "One key too many is valid", "zh": "多算了一个有效的键"}
HINT = {
    "en": "Your mask is j ≤ valid_lens. Counting starts at 0: a length of 3 means keys 0, 1 and 2, so j < "
    "valid_lens.",
    "zh": "您的掩码是 j ≤ valid_lens。编号从 0 开始：长度 3 表示键 0、1、2，所以应为 j < valid_lens。",
}


def within(lengths, queries, keys):
    return np.arange(keys) <= lengths
