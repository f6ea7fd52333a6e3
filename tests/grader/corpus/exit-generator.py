# assignment: softmax
# expect: score=0 code=raised
# tries: raises what no handler of Exception sees
import numpy as np


def softmax(x, axis=-1):
    raise GeneratorExit
