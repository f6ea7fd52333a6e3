"""or for and."""

CODE = "either-mask"
TITLE = {"en": "A key is visible when one of the masks allows it", "zh": "只要有一个掩码允许，键就可见"}
HINT = {
    "en": "You join causal mask and lengths with “or”. A key must pass both: causal & (j < valid_lens).",
    "zh": "您用“或”合并了因果掩码和长度。键必须同时满足两者：causal & (j < valid_lens)。",
}


def both(causal, valid):
    return causal | valid
