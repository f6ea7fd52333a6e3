"""Scores times the mask."""

CODE = "mask-times-scores"
TITLE = {"en": "Hidden scores are multiplied by 0", "zh": "被遮住的分数被乘以 0"}
HINT = {
    "en": "A score of 0 is not hidden: exp(0) = 1 is a weight like any other. Set hidden scores to −∞, "
    "e.g. np.where(visible, scores, -np.inf).",
    "zh": "分数为 0 并不等于被遮住：exp(0) = 1，照样分得权重。请把被遮住的分数设为 −∞，例如 np.where(visible, scores, -np.inf)。",
}


def hide(scores, visible):
    return scores * visible
