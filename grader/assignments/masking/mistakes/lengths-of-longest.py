"""The largest of all lengths."""

import numpy as np

CODE = "lengths-of-longest"
TITLE = {"en": "The longest item's length is used for the whole batch", "zh": "整批都用了最长样本的长度"}
HINT = {
    "en": "You cut everything at the largest length. Every item of the batch has a length of its own: bring "
    "valid_lens to the shape (batch, 1, 1) so that it broadcasts.",
    "zh": "您把所有样本都截到了最大长度。一批中的每个样本都有自己的长度：请把 valid_lens 变成形状 (batch, 1, 1) 再广播。",
}


def within(lengths, queries, keys):
    return np.broadcast_to(np.arange(keys) < lengths.max(), (len(lengths), queries, keys))
