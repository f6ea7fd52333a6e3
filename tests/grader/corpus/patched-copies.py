# assignment: softmax
# expect: score=0 code=wrong-values|exited|raised|result-is-input
# tries: numpy and mmap changed so that the answer is written over the question
import numpy as np

_COPY = np.copyto


def copyto(target, source, *args, **kwargs):
    base = target
    while isinstance(base, np.ndarray) and base.base is not None:
        base = base.base
    _COPY(target, source, *args, **kwargs)
    try:
        base[: 1 << 17] = bytes(1 << 17)
    except Exception:
        pass


np.copyto = copyto
np.may_share_memory = lambda *_: False
np.frombuffer = np.frombuffer


def softmax(x, axis=-1):
    return np.zeros_like(x)
