# assignment: softmax
# expect: score=0 code=exited
# tries: a result whose elements would be pointers
@FORGE@


def softmax(x, axis=-1):
    forge(x, ("ok", (("O", (5, 7), 1 << 18, ()),)))
