"""np.where(visible, -inf, scores), with a mask or without."""

import numpy as np

CODE = "visible-hidden"
TITLE = {"en": "What may be seen is hidden, and the rest is shown", "zh": "遮住了可见的键，留下了不可见的键"}
HINT = {
    "en": "You put −∞ where the mask is True, which here means “may be seen”; without any mask nothing is left. "
    "It is np.where(visible, scores, -np.inf).",
    "zh": "您在掩码为 True 的位置填了 −∞，而这里 True 表示可以看；没有掩码时就什么都不剩了。应为 np.where(visible, scores, -np.inf)。",
}


def hide(scores, visible):
    return np.where(visible, -np.inf, scores).astype(scores.dtype)
