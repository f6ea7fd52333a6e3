"""Hidden scores of −1e-9, −1, −100."""

import numpy as np

CODE = "fill-too-small"
FIT = {"FILL": (-1e5, -1e-13)}
TITLE = {
    "en": "Hidden scores are filled with a number that is not low enough",
    "zh": "填充被遮分数的数不够小",
}
HINT = {
    "en": "A score of −1e-9 is almost 0, not −∞: exp(−1e-9) ≈ 1, so that hidden keys take part. (1e-9 and "
    "1e9 are easily mixed up.) Fill with -np.inf.",
    "zh": "−1e-9 几乎就是 0，而不是 −∞：exp(−1e-9) ≈ 1，被遮住的键仍会参与计算（1e-9 和 1e9 很容易写混）。请用 -np.inf 填充。",
}


def hide(scores, visible):
    return np.where(visible, scores, FILL).astype(scores.dtype)
