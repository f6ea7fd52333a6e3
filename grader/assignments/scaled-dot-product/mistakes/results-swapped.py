"""Weights first."""

CODE = "results-swapped"
TITLE = {"en": "Output and weights are returned in the wrong order", "zh": "输出和权重的返回顺序反了"}
HINT = {
    "en": "You return (weights, output). The order asked for is output, weights.",
    "zh": "您返回的是 (weights, output)。要求的顺序是 output, weights。",
}


def results(output, weights):
    return weights, output
