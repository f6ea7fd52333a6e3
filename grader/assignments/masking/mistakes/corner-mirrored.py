"""k = queries − keys."""

CODE = "corner-mirrored"
TITLE = {
    "en": "The triangle is moved the wrong way when there are more keys than queries",
    "zh": "键比查询多时，三角形移到了相反的方向",
}
HINT = {
    "en": "With cached keys query i stands at position i + (keys − queries). You move the triangle by "
    "queries − keys, so that the first queries see nothing; use np.tril(…, k=keys - queries).",
    "zh": "有缓存的键时，第 i 个查询的位置是 i + (键数 − 查询数)。您把三角形移动了 查询数 − 键数，于是前面的查询什么也看不到；请用 np.tril(…, k=keys - queries)。",
}


def corner(queries, keys):
    return queries - keys
