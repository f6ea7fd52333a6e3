"""−1e9 in a row that sees nothing."""

import numpy as np

CODE = "mean-of-hidden"
TITLE = {
    "en": "A query that sees no key gets the mean of all values",
    "zh": "看不到任何键的查询得到了所有值的平均",
}
HINT = {
    "en": "You fill hidden scores with a large negative number such as −1e9. Where every key is hidden "
    "they are all equal, so that the softmax gives 1/n to each. Such a query is to get zeros: fill "
    "with −inf and treat that row by itself, or multiply the weights with the mask once more.",
    "zh": "您用很大的负数（例如 −1e9）填充被遮住的分数。如果所有键都被遮住，它们全都相等，softmax 就给每个键 1/n。这样的查询应当得到 0：请用 −inf 填充并单独处理这一行，或者在 "
    "softmax 之后再乘一次掩码。",
}


def hide(scores, visible):
    return np.where(visible, scores, np.where(visible.any(axis=-1, keepdims=True), -np.inf, 0.0)).astype(
        scores.dtype
    )
