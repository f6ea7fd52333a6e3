"""values of head 0."""

import numpy as np

CODE = "values-of-first-head"
TITLE = {"en": "Every head uses the values of the first head", "zh": "所有的头都用了第一个头的值"}
HINT = {
    "en": "The pointer to the values does not move on with the head. Head h begins h·(rows·width) numbers later.",
    "zh": "指向值的指针没有随头移动。第 h 个头的数据从 h·(行数·宽度) 个数之后开始。",
}


def roles(q, k, v):
    return q, k, np.broadcast_to(v[:1], v.shape)
