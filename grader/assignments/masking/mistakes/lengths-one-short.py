"""j < length − 1."""

import numpy as np

CODE = "lengths-one-short"
TITLE = {"en": "One key too few is valid", "zh": "少算了一个有效的键"}
HINT = {
    "en": "Your mask ends one key too early. A length of 3 means keys 0, 1 and 2: j < valid_lens.",
    "zh": "您的掩码少了一个键。长度 3 表示键 0、1、2：应为 j < valid_lens。",
}


def within(lengths, queries, keys):
    return np.arange(keys) < lengths - 1
