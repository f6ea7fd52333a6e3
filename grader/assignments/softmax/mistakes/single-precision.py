"""Rounded to float32 on the way."""

import numpy as np

CODE = "single-precision"
PRECISION = "float32"
TITLE = {"en": "float64 input is computed in float32", "zh": "float64 输入被用 float32 计算"}
HINT = {
    "en": "Your result for float64 input is right to about seven digits only, which is what float32 holds. "
    "Look for astype(np.float32), dtype=np.float32, or an array created without a dtype of the input.",
    "zh": "对于 float64 输入，您的结果只有大约七位有效数字是对的，这是 float32 的精度。请检查 astype(np.float32)、dtype=np.float32，"
    "或创建数组时没有沿用输入的 dtype。",
}


def exponentials(shifted):
    return np.exp(shifted.astype(np.float32)).astype(shifted.dtype)
