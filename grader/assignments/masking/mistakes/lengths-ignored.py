"""No lengths."""

import numpy as np

CODE = "lengths-ignored"
TITLE = {"en": "valid_lens changes nothing", "zh": "valid_lens 没有起作用"}
HINT = {
    "en": "Your output is the one without lengths. Key j of an item is visible only if j < valid_lens.",
    "zh": "您的输出与没有长度时相同。只有 j < valid_lens 的键才可见。",
}


def within(lengths, queries, keys):
    return np.ones((*lengths.shape[:-2], queries, keys), bool)
