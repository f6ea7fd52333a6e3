# assignment: softmax
# expect: score=0 code=exited
# tries: a shape whose sizes multiply to something small
@FORGE@


def softmax(x, axis=-1):
    forge(x, ("ok", (("float32", (-5, -7), 1 << 18, ()),)))
