# assignment: softmax
# expect: score=0 code=exited
# tries: a shape whose size overflows 64 bits
@FORGE@


def softmax(x, axis=-1):
    forge(x, ("ok", (("float32", (1 << 32, 1 << 32), 1 << 18, ()),)))
