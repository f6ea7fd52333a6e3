"""No causal mask."""

import numpy as np

CODE = "causal-ignored"
TITLE = {"en": "causal=True changes nothing", "zh": "causal=True 没有起作用"}
HINT = {
    "en": "Your output is the one without a causal mask. With causal=True key j is visible to query i only "
    "if j ≤ i + keys − queries.",
    "zh": "您的输出与没有因果掩码时相同。causal=True 时，只有 j ≤ i + 键数 − 查询数 的键 j 才对查询 i 可见。",
}


def triangle(queries, keys):
    return np.ones((queries, keys), bool)
