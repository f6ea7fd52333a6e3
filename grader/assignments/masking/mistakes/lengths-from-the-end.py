"""The last keys are the valid ones."""

import numpy as np

CODE = "lengths-from-the-end"
TITLE = {
    "en": "The last keys are taken to be valid, not the first",
    "zh": "把最后的键当成了有效的键，而不是最前面的",
}
HINT = {
    "en": "A length of 3 means that keys 0, 1 and 2 are valid: what fills up a sequence stands at its end. "
    "Key j is visible if j < length.",
    "zh": "长度为 3 表示第 0、1、2 个键有效：填充的部分在序列末尾。j < 长度 时第 j 个键可见。",
}


def within(lengths, queries, keys):
    return np.arange(keys) >= keys - lengths
