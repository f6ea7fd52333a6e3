"""exp of the scores as they stand."""

import numpy as np

CODE = "no-max"
TITLE = {"en": "The maximum is not subtracted", "zh": "没有先减去最大值"}
HINT = {
    "en": "exp(x) overflows from x ≈ 88 on in float32, and a row far below 0 vanishes altogether. Subtract "
    "each row's maximum first: exp(x − max x) / Σ exp(x − max x) is the same number and never "
    "overflows.",
    "zh": "在 float32 中，x 超过约 88 时 exp(x) 就会上溢；整行都远小于 0 时又会全部变成 0。请先减去每一行的最大值：exp(x − max x) / Σ exp(x − "
    "max x) 与原式完全相等，而且不会溢出。",
}


def larger(old, scores):
    return np.zeros_like(old)
