"""WᵀV."""

CODE = "weights-transposed"
TITLE = {"en": "The weights are transposed before they meet the values", "zh": "权重与值相乘前被转置了"}
HINT = {
    "en": "You compute Wᵀ V, so that row j of the output mixes what every query gave to key j. It is "
    "weights @ v.",
    "zh": "您计算的是 Wᵀ V，于是输出的第 j 行混合了各个查询给第 j 个键的权重。应当是 weights @ v。",
}


def combine(weights, v):
    return weights.swapaxes(-1, -2) @ v
