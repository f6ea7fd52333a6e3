"""Only the padding."""

import numpy as np

CODE = "lengths-inverted"
TITLE = {"en": "valid_lens hides the valid keys", "zh": "valid_lens 遮住了有效的键"}
HINT = {
    "en": "You hide the first keys and show the padding. Key j is visible if j < valid_lens.",
    "zh": "您遮住了前面的键，却露出了填充部分。当 j < valid_lens 时键 j 才可见。",
}


def within(lengths, queries, keys):
    return np.arange(keys) >= lengths
