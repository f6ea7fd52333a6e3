"""valid_lens[-1] for all."""

import numpy as np

CODE = "lengths-of-last"
TITLE = {"en": "The last item's length is used for the whole batch", "zh": "整批都用了最后一个样本的长度"}
HINT = {
    "en": "Every item of the batch has its own length. Perhaps a loop over the items that keeps only its last mask: "
    "compare np.arange(keys) with valid_lens[:, None, None].",
    "zh": "批中每个样本都有自己的长度。也许是逐个样本的循环只留下了最后一个掩码：请让 np.arange(keys) 与 valid_lens[:, None, None] 比较。",
}


def columns(valid_lens):
    return np.broadcast_to(valid_lens[-1:], valid_lens.shape).reshape(len(valid_lens), -1, 1)
