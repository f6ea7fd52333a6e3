"""Causal wins."""

import numpy as np

CODE = "lengths-lost"
TITLE = {"en": "Together with causal the lengths are forgotten", "zh": "与 causal 同时使用时忽略了长度"}
HINT = {
    "en": "When causal=True and valid_lens come together only the causal mask is used. Perhaps an elif "
    "that should be an if: both apply.",
    "zh": "同时给出 causal=True 和 valid_lens 时，您只用了因果掩码。也许是该写 if 的地方写成了 elif：两者都要起作用。",
}


def both(causal, valid):
    return np.broadcast_to(causal, np.broadcast_shapes(causal.shape, valid.shape))
