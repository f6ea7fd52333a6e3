"""keys − 1."""

CODE = "last-key-dropped"
TITLE = {"en": "The last key is left out", "zh": "漏掉了最后一个键"}
HINT = {
    "en": "The loop over the keys ends one too early: for (j = 0; j < keys; ++j).",
    "zh": "对键的循环早结束了一次：应当是 for (j = 0; j < keys; ++j)。",
}


def roles(q, k, v):
    return q, k[:, :-1], v[:, :-1]
