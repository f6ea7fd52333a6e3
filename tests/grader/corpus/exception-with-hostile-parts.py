# assignment: softmax
# expect: score=0 code=raised
# tries: an exception whose name, text and cause all fail to be told
import sys

import numpy as np


class Meta(type):
    __name__ = property(lambda cls: 1 / 0)
    __module__ = property(lambda cls: 1 / 0)

    def __repr__(cls):
        raise SystemExit(0)


class Odd(Exception, metaclass=Meta):
    __str__ = __repr__ = lambda self: sys.exit(0)
    __cause__ = property(lambda self: sys.exit(0))


def softmax(x, axis=-1):
    raise Odd("\ud800\0\x1b[31m", float("nan"))
