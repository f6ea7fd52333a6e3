"""keys of head 0."""

import numpy as np

CODE = "keys-of-first-head"
TITLE = {"en": "Every head uses the keys of the first head", "zh": "所有的头都用了第一个头的键"}
HINT = {
    "en": "The pointer to the keys does not move on with the head. Head h begins h·(rows·width) numbers later.",
    "zh": "指向键的指针没有随头移动。第 h 个头的数据从 h·(行数·宽度) 个数之后开始。",
}


def roles(q, k, v):
    return q, np.broadcast_to(k[:1], k.shape), v
