"""keys // block blocks."""

CODE = "last-block-dropped"
TITLE = {"en": "The last, shorter block of keys is left out", "zh": "漏掉了最后一个不满的块"}
HINT = {
    "en": "You walk over keys // block blocks. When block does not divide the number of keys the rest is "
    "lost: range(0, keys, block), and slices end by themselves.",
    "zh": "您只处理了 keys // block 个块。当 block 不能整除键数时，剩下的键就丢了：请用 range(0, keys, block)，切片会自动截断。",
}


def starts(keys, block):
    return range(0, keys - keys % block, block)
