"""queries of head 0."""

import numpy as np

CODE = "queries-of-first-head"
TITLE = {"en": "Every head uses the queries of the first head", "zh": "所有的头都用了第一个头的查询"}
HINT = {
    "en": "The pointer to the queries does not move on with the head. Head h begins h·(rows·width) numbers later.",
    "zh": "指向查询的指针没有随头移动。第 h 个头的数据从 h·(行数·宽度) 个数之后开始。",
}


def roles(q, k, v):
    return np.broadcast_to(q[:1], q.shape), k, v
