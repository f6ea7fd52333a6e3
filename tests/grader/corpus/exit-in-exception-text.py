# assignment: softmax
# expect: score=0 code=exited
# tries: ends in the text of its exception
import os

import numpy as np


class Leaving(Exception):
    def __str__(self):
        os._exit(0)


def softmax(x, axis=-1):
    raise Leaving
