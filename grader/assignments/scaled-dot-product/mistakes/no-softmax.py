"""QKᵀV/√d."""

CODE = "no-softmax"
TITLE = {"en": "The softmax is missing", "zh": "缺少 softmax"}
HINT = {
    "en": "You weigh the values with the scores themselves. Send them through softmax first, so that the "
    "weights are positive and sum to 1.",
    "zh": "您直接用分数对值加权。请先做 softmax，使权重为正且和为 1。",
}


def weigh(scores, width):
    return scores
