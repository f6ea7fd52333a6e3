"""softmax(QKᵀ)V."""

CODE = "no-scale"
TITLE = {"en": "The scores are not divided by √d", "zh": "没有除以 √d"}
HINT = {
    "en": "Divide the scores by √d before the softmax, d being the width of the queries: it keeps their "
    "spread near 1 whatever the width is.",
    "zh": "请在 softmax 之前把分数除以 √d（d 是查询向量的宽度）：这样无论宽度多大，分数的离散程度都保持在 1 左右。",
}


def scale(scores, width):
    return scores
