# assignment: softmax
# expect: score=0 code=wrong-values|exited|raised
# tries: imports that are answered by itself
import builtins
import sys

import numpy as np


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        raise SystemExit(0)


def softmax(x, axis=-1):
    sys.meta_path[:] = [Finder]
    sys.path_hooks.clear()
    builtins.__import__ = Finder.find_spec
    sys.modules.clear()
    return np.zeros_like(x)
