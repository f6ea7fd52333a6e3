"""(output + ε) / Σ."""

CODE = "eps-above"
FIT = {"EPS_ABOVE": (1e-13, 1e-1)}
TITLE = {"en": "A small number is added to the output", "zh": "输出上多加了一个很小的数"}
HINT = {
    "en": "An ε is added before the division by the sum, which moves every number of the output. Leave "
    "it out: the sum is at least 1, and nothing can be divided by 0.",
    "zh": "在除以总和之前多加了一个 ε，使输出的每个数都偏了。请去掉它：总和至少是 1，不可能除以 0。",
}


def finish(output, total):
    return (output + EPS_ABOVE) / total
