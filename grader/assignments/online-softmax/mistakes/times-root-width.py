"""×√d."""

import math

CODE = "times-root-width"
TITLE = {"en": "The scores are multiplied by √d", "zh": "乘以了 √d 而不是除以"}
HINT = {
    "en": "You multiply by √d. It must be a division: scores / √d.",
    "zh": "您乘以了 √d，这里应该是除法：scores / √d。",
}


def scale(scores, width):
    return scores * math.sqrt(width)
