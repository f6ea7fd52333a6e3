"""Rounded to float16 on the way."""

import numpy as np

CODE = "half-precision"
PRECISION = "float16"
TITLE = {"en": "Computed in float16", "zh": "用 float16 计算"}
HINT = {
    "en": "Your result is right to about three digits only, which is what float16 holds. Leave the arrays "
    "in the dtype they come in.",
    "zh": "您的结果只有大约三位有效数字是对的，这正是 float16 的精度。请保持输入数组原来的 dtype。",
}


def grow_output(output, factor, powers, v):
    return output * factor + (powers.astype(np.float16) @ v.astype(np.float16)).astype(v.dtype)
