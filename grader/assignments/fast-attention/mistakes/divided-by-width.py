"""/d."""

CODE = "divided-by-width"
TITLE = {"en": "The scores are divided by d instead of √d", "zh": "除以了 d 而不是 √d"}
HINT = {
    "en": "You divide by d (or twice by √d, once for the queries and once for the keys). Divide once by "
    "the square root of the width.",
    "zh": "您除以的是 d（或者对查询和键各除了一次 √d）。只需除以一次宽度的平方根。",
}


def scale(scores, width):
    return scores / width
