# assignment: softmax
# expect: score=0 code=exited
# tries: more axes than an array can have
@FORGE@


def softmax(x, axis=-1):
    forge(x, ("ok", (("float32", (1,) * 200, 1 << 18, ()),)))
