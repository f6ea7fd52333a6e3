"""The sum is not set to 0 for a new query."""

import numpy as np

CODE = "sum-carried-over"
TITLE = {"en": "The sum goes on from one query to the next", "zh": "总和没有在新的查询前清零"}
HINT = {
    "en": "Every query has a sum of its own. Set it to 0 inside of the loop over the queries, before its keys are added.",
    "zh": "每个查询都有自己的总和。请在对查询的循环里面、累加键之前把它清零。",
}


def total(powers):
    sums = powers.sum(axis=-1, keepdims=True)
    return np.cumsum(sums.reshape(-1)).reshape(sums.shape).astype(sums.dtype)
