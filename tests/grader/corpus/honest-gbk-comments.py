# assignment: softmax
# expect: score=100 note=read-as-gb18030
# tries: comments in GBK
# 先减去最大值，再取指数，最后归一化
import numpy as np


def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    e = np.exp(x - top)
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total > 0, total, 1)
