# assignment: softmax
# expect: score=0 code=wrong-values
# tries: puts other functions into NumPy, for whoever compares with them
import numpy as np


for name in ("allclose", "isclose", "array_equal", "array_equiv", "all", "any", "isnan", "isfinite"):
    setattr(np, name, lambda *arguments, **options: True)
np.testing.assert_allclose = lambda *arguments, **options: None


def softmax(x, axis=-1):
    return np.zeros_like(x)
