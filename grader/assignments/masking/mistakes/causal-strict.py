"""j < i."""

CODE = "causal-strict"
TITLE = {"en": "The causal mask hides the query's own position", "zh": "因果掩码把查询自己的位置也遮住了"}
HINT = {
    "en": "Your mask is j < i; a query may see itself: j ≤ i (np.tril with k=0).",
    "zh": "您的掩码是 j < i；查询可以看到自己，应为 j ≤ i（np.tril，k=0）。",
}


def reach():
    return -1
