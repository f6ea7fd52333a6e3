"""softmax(QKᵀ)K."""

CODE = "values-from-keys"
TITLE = {"en": "The keys are used as values", "zh": "把键当作值来用"}
HINT = {
    "en": "You take the weighted mean of the keys. The weights come from queries and keys, but it is the "
    "values that are averaged: weights @ v.",
    "zh": "您对键做了加权平均。权重由查询和键得到，但被平均的应该是值：weights @ v。",
}


def roles(q, k, v):
    return q, k, k
