# assignment: softmax
# expect: score=0 code=raised
# tries: an exception whose text is no Unicode, obeys no terminal and fills forms
import numpy as np


def softmax(x, axis=-1):
    raise type("{type.__class__}\x1b[2J", (Exception,), {})("\ud800\0\x1b[31m{text.__globals__} [red]%s%n \u202e")
