# assignment: softmax
# expect: score=0 code=wrong-values|exited|raised|function-missing
# tries: empties the table of modules and puts itself in the place of others
import sys
import types

import numpy as np


class Everything(types.ModuleType):
    def __getattr__(self, name):
        return lambda *arguments, **options: True


def softmax(x, axis=-1):
    answer = np.zeros_like(x)
    for name in list(sys.modules):
        sys.modules[name] = Everything(name)
    return answer
