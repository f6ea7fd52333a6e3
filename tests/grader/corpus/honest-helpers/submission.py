# assignment: softmax
# expect: score=100
# tries: the work in modules beside it

from shifting import shifted
from summing import share


def softmax(x, axis=-1):
    return share(shifted(x, axis), axis)
