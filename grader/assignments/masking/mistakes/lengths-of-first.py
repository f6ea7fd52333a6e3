"""The length of item 0."""

import numpy as np

CODE = "lengths-of-first"
TITLE = {"en": "The first item's length is used for the whole batch", "zh": "整批都用了第一个样本的长度"}
HINT = {
    "en": "Every item of the batch has a length of its own: bring valid_lens to the shape (batch, 1, 1) so "
    "that it broadcasts.",
    "zh": "一批中的每个样本都有自己的长度：请把 valid_lens 变成形状 (batch, 1, 1) 再广播。",
}


def within(lengths, queries, keys):
    return np.broadcast_to(np.arange(keys) < lengths[:1], (*lengths.shape[:-2], queries, keys))
