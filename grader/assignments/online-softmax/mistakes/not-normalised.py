"""No division at the end."""

CODE = "not-normalised"
TITLE = {"en": "The output is not divided by the sum", "zh": "输出没有除以总和"}
HINT = {
    "en": "After the last block divide the output by the running sum of each row.",
    "zh": "处理完最后一个块以后，要把每一行的输出除以累加的和。",
}


def finish(output, total):
    return output
