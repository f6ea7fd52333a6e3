"""The loop begins with the second block."""

CODE = "first-block-dropped"
TITLE = {"en": "The first block of keys is left out", "zh": "漏掉了第一个块"}
HINT = {
    "en": "Your output is attention over all keys but those of the first block. Begin the loop at key "
    "0, or put the first block into maximum, sum and output before it.",
    "zh": "您的输出漏掉了第一个块里的键。循环应当从第 0 个键开始，或者先用第一个块算好最大值、总和与输出再进入循环。",
}


def starts(keys, block):
    return range(block, keys, block)
