# assignment: fast-attention
# expect: score=0 code=function-missing|import-failed|raised|wrong-values
# tests: small double
# tries: puts another module in its own place while it is imported
import sys
import types

import numpy as np


class Other(types.ModuleType):
    attention = attention_double = staticmethod(lambda q, k, v: np.zeros((*q.shape[:2], v.shape[2]), q.dtype))


sys.modules["submission"] = Other("submission")
