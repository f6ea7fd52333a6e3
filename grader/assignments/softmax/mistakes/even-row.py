"""Equal weights where nothing is seen."""

import numpy as np

CODE = "even-row"
TITLE = {"en": "A row of only −inf gets equal weights", "zh": "全为 −inf 的行得到了相等的权重"}
HINT = {
    "en": "You replace −inf by a large negative number, or NaN by 1/n. A row of only −inf then gets 1/n "
    "everywhere, although it sees nothing; its weights are to be zeros.",
    "zh": "您把 −inf 换成了一个很大的负数（或者把 NaN 换成了 1/n）。这样全为 −inf 的行会处处得到 1/n，可是它其实什么也看不到，权重应当全为 0。",
}


def base(top):
    return top


def exponentials(shifted):
    return np.exp(np.where(np.isnan(shifted), 0.0, shifted).astype(shifted.dtype))
