"""Top left for bottom right."""

CODE = "wrong-corner"
TITLE = {
    "en": "The triangle starts in the wrong corner when there are more keys than queries",
    "zh": "键比查询多时，三角形对错了角",
}
HINT = {
    "en": "With cached keys the queries are the last ones of the sequence: query i stands at position i + "
    "(keys − queries) and sees up to there. You align them with the first keys; use np.tril(…, "
    "k=keys - queries).",
    "zh": "有缓存的键时，查询是序列中最后的几个：第 i 个查询的位置是 i + (键数 − 查询数)，可以看到那里为止。您把它们和最前面的键对齐了；请用 np.tril(…, k=keys - "
    "queries)。",
}


def corner(queries, keys):
    return 0
