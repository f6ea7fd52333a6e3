"""A return in the loop."""

CODE = "first-block-only"
TITLE = {"en": "Only the first block of keys is used", "zh": "只用了第一个块"}
HINT = {
    "en": "Your output is attention over the first block. Perhaps a return stands inside the loop.",
    "zh": "您的输出只是对第一个块的注意力。也许 return 写在了循环里面。",
}


def starts(keys, block):
    return range(0, min(block, keys), block)
