"""The scores as the second result."""

CODE = "scores-returned"
TITLE = {"en": "The scores are returned in place of the weights", "zh": "返回的是分数而不是权重"}
HINT = {
    "en": "The output is right, but the second result is QKᵀ/√d, before the softmax. Return what you multiply "
    "the values with.",
    "zh": "输出是对的，但第二个结果是 softmax 之前的 QKᵀ/√d。请返回与值相乘的权重。",
}


def attention(q, k, v):
    q, k, v = roles(q, k, v)
    scaled = scale(scores(q, k), q.shape[-1])
    return results(combine(weigh(scaled, q.shape[-1]), v), scaled)
