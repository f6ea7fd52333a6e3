"""softmax(QKᵀ)/√d."""

import math

CODE = "scale-after-softmax"
TITLE = {"en": "√d is divided out after the softmax", "zh": "在 softmax 之后才除以 √d"}
HINT = {
    "en": "The division by √d belongs inside: softmax(QKᵀ/√d). Weights must sum to 1.",
    "zh": "除以 √d 应当放在里面：softmax(QKᵀ/√d)。权重之和必须等于 1。",
}


def scale(scores, width):
    return scores


def weigh(scores, width):
    powers = exponentials(scores - largest(scores))
    return share(powers, total(powers)) / math.sqrt(width)
