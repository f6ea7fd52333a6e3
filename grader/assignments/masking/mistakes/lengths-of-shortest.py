"""min(valid_lens) for all."""

import numpy as np

CODE = "lengths-of-shortest"
TITLE = {"en": "The shortest item's length is used for the whole batch", "zh": "整批都用了最短样本的长度"}
HINT = {
    "en": "Every item of the batch has its own length; with the smallest one valid keys of the others are hidden. "
    "Compare np.arange(keys) with valid_lens[:, None, None].",
    "zh": "批中每个样本都有自己的长度；用最小的长度会遮住其他样本有效的键。请让 np.arange(keys) 与 valid_lens[:, None, None] 比较。",
}


def columns(valid_lens):
    return np.full_like(valid_lens, valid_lens.min()).reshape(len(valid_lens), -1, 1)
