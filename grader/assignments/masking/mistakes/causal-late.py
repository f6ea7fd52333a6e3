"""j ≤ i + 1."""

CODE = "causal-late"
TITLE = {"en": "The causal mask shows one key of the future", "zh": "因果掩码多露出了一个未来的键"}
HINT = {
    "en": "Your mask is j ≤ i + 1, so that every query sees the next token. It must be j ≤ i.",
    "zh": "您的掩码是 j ≤ i + 1，每个查询都能看到下一个词元。应为 j ≤ i。",
}


def reach():
    return 1
