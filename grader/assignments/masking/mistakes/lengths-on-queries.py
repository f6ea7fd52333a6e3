"""Rows for columns."""

import numpy as np

CODE = "lengths-on-queries"
TITLE = {"en": "valid_lens is applied to the queries", "zh": "valid_lens 被用到了查询上"}
HINT = {
    "en": "You hide rows of the scores, which are queries. The lengths say how many keys are real: compare "
    "them with the columns, np.arange(keys).",
    "zh": "您遮住的是分数矩阵的行，也就是查询。长度说的是有多少个键是真实的：应当和列比较，np.arange(keys)。",
}


def within(lengths, queries, keys):
    return np.broadcast_to(np.arange(queries)[:, None] < lengths, (*lengths.shape[:-2], queries, keys))
