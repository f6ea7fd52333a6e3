"""1 / (1 + exp(−x))."""

import numpy as np

CODE = "sigmoid"
TITLE = {"en": "The logistic function of each number by itself", "zh": "对每个数单独用了 sigmoid 函数"}
HINT = {
    "en": "1/(1 + exp(−x)) looks at one number only. In a softmax the numbers of a row share 1 between them: "
    "exp(x) is divided by the sum over the row.",
    "zh": "1/(1 + exp(−x)) 只看一个数。softmax 要让一行的数共同分配 1：用 exp(x) 除以这一行的总和。",
}


def softmax(x, axis=-1):
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-x))
