"""softmax(softmax(QKᵀ/√d))."""

CODE = "softmax-twice"
TITLE = {"en": "The softmax is applied twice", "zh": "softmax 用了两次"}
HINT = {
    "en": "What the softmax gives goes through a softmax again, which makes the weights almost equal. Once is enough.",
    "zh": "softmax 的结果又做了一次 softmax，权重因此几乎相等。做一次就够了。",
}


def weigh(scores, width):
    for _ in range(2):
        powers = exponentials(scores - largest(scores))
        scores = share(powers, total(powers))
    return scores
