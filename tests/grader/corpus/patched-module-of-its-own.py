# assignment: softmax
# expect: score=0 code=function-missing|function-not-callable|raised|result-wrong-type|import-failed
# tries: puts an object in its own place that has whatever is asked for
import sys

import numpy as np


class Everything:
    __dict__ = property(lambda self: self)
    get = __getitem__ = lambda self, *names: self
    __call__ = lambda self, *arguments, **options: self
    __iter__ = lambda self: iter(())
    items = lambda self: [("softmax", self)]


sys.modules[__name__] = Everything()
