"""/8 whatever the width is."""

CODE = "fixed-scale"
FIT = {"DIVISOR": (1.2, 1e3)}
TITLE = {"en": "Divided by the same number whatever the width is", "zh": "不论宽度多少都除以同一个数"}
HINT = {
    "en": "Your divisor does not change with the width. Take it from the arrays: np.sqrt(q.shape[-1]).",
    "zh": "您的除数不随宽度变化。请从数组的形状得到它：np.sqrt(q.shape[-1])。",
}


def scale(scores, width):
    return scores / DIVISOR
