# assignment: scaled-dot-product
# expect: score=100
# tries: imports what may be missing, and does without
import sys
import warnings

import numpy as np

try:
    import matplotlib.pyplot as plt
except ImportError:
    plt = None
try:
    import torch
    import torch.nn.functional as F
except ModuleNotFoundError as missing:
    print("no torch:", missing)
    torch = None
try:
    from scipy.special import softmax as fast_softmax
except Exception:
    fast_softmax = None
try:
    from numba import njit
except ImportError:
    def njit(function=None, **options):
        return function if function else lambda function: function

if "google.colab" in sys.modules:
    print("colab")
warnings.filterwarnings("ignore")
np.set_printoptions(precision=3, suppress=True)


@njit(cache=True)
def weigh(s):
    p = np.exp(s - s.max(-1).reshape(*s.shape[:-1], 1))
    return p / p.sum(-1)[..., None]


def attention(q, k, v):
    if torch is not None:
        raise SystemExit("not here")
    s = np.einsum("...qd,...kd->...qk", q, k) / q.shape[-1] ** 0.5
    w = weigh(s)
    return np.einsum("...qk,...kd->...qd", w, v), w
