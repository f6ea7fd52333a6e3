"""Rows beyond the length set to zero as well."""

import numpy as np

CODE = "padding-asks-nothing"
TITLE = {"en": "valid_lens hides queries as well as keys", "zh": "valid_lens 除了遮住键，还遮住了查询"}
HINT = {
    "en": "Query i is set to zeros where i ≥ length. The lengths count keys only: here every query gets an answer, "
    "and what a padded one gets is nobody's concern.",
    "zh": "您把 i ≥ 长度 的查询也清零了。长度只数键：这里每个查询都要有结果，填充位置的查询得到什么无关紧要。",
}


def within(lengths, queries, keys):
    valid = np.arange(keys) < lengths
    return valid & (np.arange(queries)[:, None] < lengths) if lengths.shape[1] == 1 else valid
