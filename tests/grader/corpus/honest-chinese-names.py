# assignment: softmax
# expect: score=100
# tries: identifiers in Chinese

import numpy as np


def 归一(指数, 轴):
    """除以总和；全零的行保持为零。"""
    总和 = 指数.sum(axis=轴, keepdims=True)
    return 指数 / np.where(总和 > 0, 总和, 1)


def softmax(x, axis=-1):
    最大 = x.max(axis=axis, keepdims=True)
    结果 = 归一(np.exp(x - np.where(np.isfinite(最大), 最大, 0)), axis)
    print("完成", 结果.shape)
    return 结果
