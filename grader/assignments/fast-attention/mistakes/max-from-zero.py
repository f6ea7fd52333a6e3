"""max(0, …)."""

import numpy as np

CODE = "max-from-zero"
TITLE = {"en": "The running maximum starts at 0", "zh": "最大值的初值是 0"}
HINT = {
    "en": "A row whose scores all lie far below 0 keeps the maximum 0; its powers vanish, and 0/0 is NaN. "
    "Start at -np.inf.",
    "zh": "如果一行的分数都远小于 0，最大值就一直停在 0，指数全部变成 0，再相除就是 NaN。初值请用 -np.inf。",
}


def largest(scores):
    return np.maximum(scores.max(axis=-1, keepdims=True), 0)
