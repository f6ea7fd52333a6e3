"""+1e9 in place of −1e9."""

import numpy as np

CODE = "fill-positive"
TITLE = {
    "en": "Hidden scores are filled with a large positive number",
    "zh": "用很大的正数填充了被遮住的分数",
}
HINT = {
    "en": "A minus sign is missing: with +1e9 or +∞ the hidden keys get all the weight. Fill with -np.inf.",
    "zh": "少了一个负号：填 +1e9 或 +∞，全部权重都会给被遮住的键。请用 -np.inf 填充。",
}


def hide(scores, visible):
    return np.where(visible, scores, 1e9).astype(scores.dtype)
