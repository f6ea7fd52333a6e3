"""Lengths win."""

import numpy as np

CODE = "causal-lost"
TITLE = {"en": "Together with lengths the causal mask is forgotten", "zh": "与长度同时使用时忽略了因果掩码"}
HINT = {
    "en": "When causal=True and valid_lens come together only the lengths are used. Both apply.",
    "zh": "同时给出 causal=True 和 valid_lens 时，您只用了长度。两者都要起作用。",
}


def both(causal, valid):
    return np.broadcast_to(valid, np.broadcast_shapes(causal.shape, valid.shape))
