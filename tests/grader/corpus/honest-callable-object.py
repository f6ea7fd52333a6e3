# assignment: softmax
# expect: score=100
# tries: an object that can be called, made of a dataclass
import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class Softmax:
    floor: float = 0.0

    def __call__(self, x: np.ndarray, axis: int = -1) -> np.ndarray:
        top = x.max(axis=axis, keepdims=True)
        e = np.exp(x - np.where(np.isfinite(top), top, 0))
        total = e.sum(axis=axis, keepdims=True)
        return e / np.where(total > self.floor, total, 1)


softmax = Softmax()
