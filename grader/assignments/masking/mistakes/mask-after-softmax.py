"""Weights times the mask."""

CODE = "mask-after-softmax"
TITLE = {"en": "The mask is applied after the softmax", "zh": "在 softmax 之后才使用掩码"}
HINT = {
    "en": "You set hidden weights to 0 after the softmax; those left do not sum to 1 any more. Hide the "
    "scores before it, with −∞.",
    "zh": "您在 softmax 之后才把被遮住的权重置 0，剩下的权重之和就不再是 1 了。请在 softmax 之前用 −∞ 遮住分数。",
}


def weigh(scores, visible):
    powers = exponentials(scores - largest(scores))
    return share(powers, total(powers)) * visible
