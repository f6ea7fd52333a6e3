"""−1e-9 added to hidden scores."""

import numpy as np

CODE = "bias-too-small"
FIT = {"BIAS": (-1e2, -1e-13)}
TITLE = {
    "en": "What is added to hidden scores is not low enough",
    "zh": "加在被遮分数上的数不够小",
}
HINT = {
    "en": "Adding −1e-9 changes nothing: the hidden keys keep their weight. (1e-9 and 1e9 are easily mixed "
    "up.) Add -np.inf, or set the scores to it: np.where(visible, scores, -np.inf).",
    "zh": "加上 −1e-9 等于什么都没加：被遮住的键仍保有权重（1e-9 和 1e9 很容易写混）。请加上 -np.inf，或者直接设为它：np.where(visible, scores, -np.inf)。",
}


def hide(scores, visible):
    return (scores + np.where(visible, 0.0, BIAS)).astype(scores.dtype)
