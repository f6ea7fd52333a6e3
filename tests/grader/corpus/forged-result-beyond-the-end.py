# assignment: softmax
# expect: score=0 code=exited
# tries: a result behind the end of the memory
@FORGE@


def softmax(x, axis=-1):
    forge(x, ("ok", (("float32", (5, 7), 1 << 40, ()),)))
